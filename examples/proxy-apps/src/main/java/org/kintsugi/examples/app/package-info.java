/**
 * Shared by all proxy applications: options, recovery, checkpoints, progress, the times of iterations, the report that they
 * write. {@link org.kintsugi.examples.app.ProxyApp} runs an application, and {@link org.kintsugi.examples.app.Work} is the part
 * that each one implements.
 */
package org.kintsugi.examples.app;

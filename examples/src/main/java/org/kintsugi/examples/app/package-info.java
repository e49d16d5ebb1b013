/**
 * What all proxy applications share: options, recovery, checkpoints, progress, the times of iterations, the report that they
 * write. {@link org.kintsugi.examples.app.ProxyApp} runs it, {@link org.kintsugi.examples.app.Work} is what each of them brings.
 */
package org.kintsugi.examples.app;

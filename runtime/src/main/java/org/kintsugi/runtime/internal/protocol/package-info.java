/**
 * The lines that {@code jmpirun} and the processes of its job exchange.
 *
 * <p>Each process opens a connection to the launcher. The job's output would not do, because the launcher asks questions, and
 * must see which process does not answer.
 *
 * <h2>The protocol</h2>
 *
 * <p>A line is text in UTF-8. Its first word is its kind, and each kind is a record with {@code toLine}:
 * <ol>
 * <li>Both sides prove that they belong to one job ({@link org.kintsugi.runtime.internal.protocol.Handshake}). The first line
 *     has the version of the protocol ({@link org.kintsugi.runtime.internal.protocol.HandshakeLine#VERSION}), and the last one
 *     says who the client is: a process of the job, or {@code jmpirun --stacks}.
 * <li>From then on each side may send any of its lines at any time: a process those of
 *     {@link org.kintsugi.runtime.internal.protocol.FromProcess}, the launcher those of
 *     {@link org.kintsugi.runtime.internal.protocol.FromLauncher}.
 * <li>The end of a connection means that the process has failed, unless it has sent
 *     {@link org.kintsugi.runtime.internal.protocol.FromProcess.Left}.
 * </ol>
 *
 * <p>In the flavour reinit two more lines travel on the job's stderr
 * ({@link org.kintsugi.runtime.internal.protocol.OutputLine}).
 *
 * <h2>Invariants</h2>
 * <ul>
 * <li>The launcher obeys no client that has not proved that it belongs to the job. Such a client costs
 *     {@value org.kintsugi.runtime.internal.protocol.Line#LONGEST_OF_STRANGER} bytes at most, some seconds, and one of a limited
 *     number of places. The launcher ends a connection of another user of this host before it reads from it: the kernel reports
 *     whose connection it is.
 * <li>A process sends no line to a launcher that has not proved to be its own.
 * <li>{@code parse} returns a record whose fields are within their bounds, or throws {@link IllegalArgumentException}: for an
 *     unknown kind, a missing or additional field, a number out of range, a name or a line that is too long, a control character
 *     in a name. The launcher ends a connection with such a line; a process ignores the line.
 * <li>No control character of a peer's line reaches the terminal: names that have one cannot be made, and {@code parse} replaces
 *     them in texts.
 * <li>{@code toLine} has no line break and no control character: it replaces them in texts that come from the program.
 *     {@code parse} of {@code toLine} is an equal record, unless it had such characters.
 * <li>No line is written in part: bytes that a peer's socket does not take wait in the launcher.
 * <li>Records are made and parsed in a recovery: no lambda, no {@code equals} or {@code toString} of a record on that path.
 * </ul>
 */
package org.kintsugi.runtime.internal.protocol;

/** As a shell reports a program that SIGPIPE ended: 128 and the number of that signal. */
export const CLOSED_PIPE = 141;

/**
 * Ends the process without a word once nobody reads its output any more (`| head`), as programs do that SIGPIPE ends;
 * Node ignores that signal and reports EPIPE instead. What runs until then ends with the process. Other faults of
 * output are thrown.
 *
 * @param end leaves the process with this code
 */
export function endAtClosedPipe(outputs: readonly NodeJS.WritableStream[], end: (code: number) => void): void {
  for (const output of outputs) {
    output.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      end(CLOSED_PIPE);
    });
  }
}

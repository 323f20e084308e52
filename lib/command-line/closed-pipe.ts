/** Exit code that a shell reports for SIGPIPE: 128 plus the signal's number. */
export const CLOSED_PIPE = 141;

/**
 * Exits silently when the output's reader is gone (`| head`). SIGPIPE would do so, but Node ignores it. Throws other
 * output errors.
 */
export function endAtClosedPipe(outputs: readonly NodeJS.WritableStream[], end: (code: number) => void): void {
  for (const output of outputs) {
    output.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      end(CLOSED_PIPE);
    });
  }
}

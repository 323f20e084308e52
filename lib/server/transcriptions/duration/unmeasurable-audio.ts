/** Audio whose duration cannot be found with certainty. The message is a sentence for the caller. */
export class UnmeasurableAudio extends Error {
  override readonly name = 'UnmeasurableAudio';
}

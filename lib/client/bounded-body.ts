import { OversizedAnswerError } from './gateway-error';

/** The longest refusal that is read, in bytes. The gateway's own, with a sentence for each item of a batch, are shorter. */
export const ERROR_BODY_BYTES_MAX = 262_144;

/**
 * The text of an answer of at most so many bytes.
 * @throws {OversizedAnswerError} for a longer one, whose rest is not read; and what reading throws
 */
export async function boundedText(response: Response, bytesMax: number): Promise<string> {
  const { text, isWhole } = await readBeginning(response, bytesMax);
  if (!isWhole) throw new OversizedAnswerError(bytesMax);
  return text;
}

/** The text of a refusal, or its beginning where it is longer than ERROR_BODY_BYTES_MAX: its status says what matters. @throws what reading throws */
export async function errorText(response: Response): Promise<string> {
  return (await readBeginning(response, ERROR_BODY_BYTES_MAX)).text;
}

async function readBeginning({ body }: Response, bytesMax: number): Promise<{ text: string; isWhole: boolean }> {
  const reader = body?.getReader();
  if (!reader) return { text: '', isWhole: true };
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { text: text + decoder.decode(), isWhole: true };
    const room = bytesMax - bytes;
    text += decoder.decode(value.subarray(0, room), { stream: true });
    if (value.length > room) {
      await reader.cancel().catch(() => undefined);
      return { text, isWhole: false };
    }
    bytes += value.length;
  }
}

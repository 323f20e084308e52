import { chunkReader, streamChunks } from '@/lib/client/stream-chunks';
import { errorOf, errorSentence } from '@/lib/protocol/chat/answer-error';
import { isDone } from '@/lib/protocol/chat/event-mark';
import { dataOf } from '@/lib/protocol/event-stream/event-stream-reader';
import { type StreamPart, StreamSplitter } from '@/lib/protocol/event-stream/stream-splitter';
import { parsedRecord } from '@/lib/protocol/json-record';

const EVENT_BYTES_MAX = 64 * 1_024 * 1_024;
/** Maximum bytes of a stream's last event, or of a gateway's error. */
const END_BYTES_MAX = 1_024;

/**
 * Yields a stream in whole events, so that an error can follow as a separate event.
 * @param onError receives an error that the stream itself reports; after such an error, interruptions are ignored
 */
export async function* wholeEvents(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  onError: (sentence: string) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  let [isOver, hasFailed] = [false, false];
  const onPart = ({ bytes, start, end }: StreamPart): void => {
    if (end - start > END_BYTES_MAX) return;
    const data = dataOf(new TextDecoder().decode(bytes.subarray(start, end))) ?? '';
    isOver ||= isDone(data);
    const error = data.includes('"error"') ? errorOf(parsedRecord(data) ?? {}) : null;
    if (error === null) return;
    hasFailed = true;
    onError(errorSentence(error) ?? 'The model ended its answer with an error.');
  };
  const splitter = new StreamSplitter({ unit: 'event', partBytesMax: EVENT_BYTES_MAX, onPart });
  try {
    for await (const chunk of streamChunks(chunkReader(reader), () => isOver)) {
      const whole = splitter.push(chunk);
      if (whole.length > 0) yield whole;
    }
  } catch (error) {
    if (hasFailed) return;
    throw error;
  }
  yield splitter.finish();
  if (isOver) await reader.cancel().catch(() => undefined);
}

import { isRecord } from '@/lib/protocol/json-record';
import { dataOf } from '@/lib/protocol/event-stream/event-stream-reader';

/** Fields that hold an event's data. llama.cpp uses `error`. */
const DATA_FIELDS = ['data', 'error'] as const;

/**
 * Removes secrets from an event. Parses the data first, because a pattern could also match JSON syntax.
 * @param event including its blank line
 * @returns the same event if there is no secret
 */
export function redactedEvent(event: Uint8Array, redact: (text: string) => string): Uint8Array {
  return changedEvent(event, (data) => redactedData(data, redact), redact);
}

/**
 * Changes the data of an event.
 *
 * @param change returns null to keep the data
 * @param changeLine changes the other lines
 * @returns the same event if nothing changes
 */
export function changedEvent(
  event: Uint8Array,
  change: (data: string) => string | null,
  changeLine: (line: string) => string = (line) => line,
): Uint8Array {
  const text = Buffer.from(event.buffer, event.byteOffset, event.byteLength).toString('utf8');
  const field = DATA_FIELDS.find((name) => dataOf(text, [name]) !== null);
  const data = field && dataOf(text, [field]);
  const changed = data == null ? null : change(data);
  const others = text.split(/\r\n|\n|\r/).filter((line) => line !== '' && !(field && isOf(field, line)));
  const changedOthers = others.map(changeLine);
  if (changed === null && changedOthers.every((line, index) => line === others[index])) return event;
  const lines = (changed ?? data ?? '').split('\n').map((line) => `${field}: ${line}`);
  return Buffer.from(`${[...changedOthers, ...(field ? lines : [])].join('\n')}\n\n`);
}

function isOf(field: string, line: string): boolean {
  return line === field || line.startsWith(`${field}:`);
}

/** @returns null if the data has no secret */
function redactedData(data: string, redact: (text: string) => string): string | null {
  let isChanged = false;
  const clean = (text: string): string => {
    const redacted = redact(text);
    isChanged ||= redacted !== text;
    return redacted;
  };
  const redacted = withTexts(data, clean);
  return isChanged ? redacted : null;
}

function withTexts(data: string, clean: (text: string) => string): string {
  try {
    return JSON.stringify(
      JSON.parse(data, (_name, value: unknown) =>
        typeof value === 'string' ? clean(value) : isRecord(value) ? withNames(value, clean) : value,
      ),
    );
  } catch {
    // The data is not JSON or is nested too deeply.
    return clean(data);
  }
}

function withNames(value: Record<string, unknown>, clean: (text: string) => string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [clean(name), each]));
}

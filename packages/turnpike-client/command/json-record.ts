import { isRecord } from '@/lib/client/answer-schema';

/** An object of JSON; empty for what is none. */
export function recordOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

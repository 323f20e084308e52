import { isRecord } from '@/lib/client/answer-schema';

/** Parses a JSON object; returns an empty object for other texts. */
export function recordOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

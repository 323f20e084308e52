/** Longest rest that an upstream is given, whatever it asks for. */
export const REST_MS_MAX = 60_000;

/**
 * The delay that a Retry-After header asks for (RFC 9110, section 10.2.3: seconds or a date), at most
 * `REST_MS_MAX`; undefined where there is none or it cannot be read.
 * @param nowMs Unix milliseconds.
 */
export function retryAfterMs(header: string | string[] | undefined, nowMs: number): number | undefined {
  const text = (Array.isArray(header) ? header[0] : header)?.trim();
  if (!text) return undefined;
  // Dates begin with a day's name; the engine would also read "-5" as one.
  const delayMs = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : /^[A-Z][a-z]/.test(text) ? Date.parse(text) - nowMs : NaN;
  return Number.isFinite(delayMs) ? Math.min(REST_MS_MAX, Math.max(0, delayMs)) : undefined;
}

import { parseUsd } from '@/lib/protocol/parse-usd';
import { z } from 'zod';

/** Headers that the gateway adds to requests: RFC 9110, section 5.6.2 (token) and section 5.5 (field value). */
export const requestHeaders = z.record(
  z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'Must be the name of a header'),
  z.string().regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'Must be a header value, without line breaks'),
);

/** Trace context is off by default, because a model server or node could use it to link requests of one caller. */
export const traceContext = z
  .boolean()
  .default(false)
  .describe("Whether it receives the traceparent (W3C Trace Context), which could link a caller's requests");

/** Price of a service that is free on purpose. */
export const FREE = 'free';

/**
 * Returns a schema for a decimal string of USD, or "free".
 *
 * @param maxNanoUsd highest price at which the largest request's cost in nano-USD is a safe integer
 */
export function usdPrice(maxNanoUsd: number, message: string) {
  return z
    .string()
    .refine((text) => text === FREE || isUsdUpTo(text, maxNanoUsd), message)
    .transform((text) => (text === FREE ? '0' : text));
}

export const COSTS = 'Cost to the operator, for margins';

export function refuseTwins(upstreams: readonly { name: string }[], context: z.RefinementCtx): void {
  const seen = new Set<string>();
  upstreams.forEach(({ name }, index) => {
    if (seen.has(name)) context.addIssue({ code: 'custom', path: [index, 'name'], message: 'Is listed twice' });
    seen.add(name);
  });
}

function isUsdUpTo(text: string, maxNanoUsd: number): boolean {
  try {
    return parseUsd(text) <= maxNanoUsd;
  } catch {
    return false;
  }
}

/** Returns whether a text is an absolute HTTP(S) URL. Its user name and password must be decodable. */
export function isHttpUrl(text: string): boolean {
  if (!/^https?:\/\/[^/]/i.test(text) || !URL.canParse(text)) return false;
  try {
    const { username, password } = new URL(text);
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}

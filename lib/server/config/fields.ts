import { z } from 'zod';
import { parseUsd } from '@/lib/protocol/pricing';

/** Fields that several parts of the configuration have. */

/** Headers that the operator adds to requests: RFC 9110, section 5.6.2 (token) and section 5.5 (field value). */
export const requestHeaders = z.record(
  z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'Must be the name of a header'),
  z.string().regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'Must be a header value, without line breaks'),
);

/** Of an upstream: whether it may see which trace, and so which caller's requests, a question belongs to. */
export const traceContext = z
  .boolean()
  .default(false)
  .describe(
    'Whether it is sent the traceparent (W3C Trace Context) of the requests that it is asked for, by which requests of one caller can be told',
  );

/** What a price that is meant to be nothing says. */
export const FREE = 'free';

/** A decimal text of USD, or "free". @param maxNanoUsd a price at which the largest request still costs a safe integer of nano-USD */
export function usdPrice(maxNanoUsd: number, message: string) {
  return z
    .string()
    .refine((text) => text === FREE || isUsdUpTo(text, maxNanoUsd), message)
    .transform((text) => (text === FREE ? '0' : text));
}

/** Refuses two upstreams of one name. */
export function refuseTwins(upstreams: readonly { name: string }[], context: z.RefinementCtx): void {
  const seen = new Set<string>();
  upstreams.forEach(({ name }, index) => {
    if (seen.has(name)) context.addIssue({ code: 'custom', path: [index, 'name'], message: 'Stands here twice' });
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

import { describe, expect, it } from 'vitest';
import { newSpanId, readTraceparent, traceparentOf } from './trace-context';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

describe('a traceparent', () => {
  it('says the trace, the span that asked, and whether it is recorded', () => {
    expect(readTraceparent(`00-${TRACE}-${SPAN}-01`)).toEqual({ traceId: TRACE, parentId: SPAN, isSampled: true });
    expect(readTraceparent(`00-${TRACE}-${SPAN}-00`)?.isSampled).toBe(false);
    // Unknown flags are ignored.
    expect(readTraceparent(`00-${TRACE}-${SPAN}-fe`)?.isSampled).toBe(false);
  });

  it('of a later version is read as far as this one goes', () => {
    expect(readTraceparent(`cc-${TRACE}-${SPAN}-01`)).not.toBeNull();
    expect(readTraceparent(`cc-${TRACE}-${SPAN}-01-what-the-future-adds`)?.traceId).toBe(TRACE);
  });

  it.each([
    ['nothing', ''],
    ['of the invalid version', `ff-${TRACE}-${SPAN}-01`],
    ['with more behind it than version 00 has', `00-${TRACE}-${SPAN}-01-more`],
    ['with more behind it without a hyphen', `cc-${TRACE}-${SPAN}-01more`],
    ['in upper case', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ['with a trace of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['with a span of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['with a trace that is too short', `00-${TRACE.slice(1)}-${SPAN}-01`],
    ['with a trace that is too long', `00-${TRACE}a-${SPAN}-01`],
    ['with what is no hexadecimal', `00-${TRACE.replace('4', 'g')}-${SPAN}-01`],
    ['without flags', `00-${TRACE}-${SPAN}`],
    ['with spaces around it', ` 00-${TRACE}-${SPAN}-01 `],
    ['with another behind it', `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`],
    ['with a line break', `00-${TRACE}-${SPAN}-01\n`],
    ['of a length that nobody sends', `cc-${TRACE}-${SPAN}-01-${'x'.repeat(1_000)}`],
  ])('%s is ignored', (_name, value) => {
    expect(readTraceparent(value)).toBeNull();
  });

  it('goes out in version 00, and is one that is read', () => {
    const spanId = newSpanId();
    expect(readTraceparent(traceparentOf({ traceId: TRACE, isSampled: true }, spanId))).toEqual({
      traceId: TRACE,
      parentId: spanId,
      isSampled: true,
    });
    expect(traceparentOf({ traceId: TRACE, isSampled: false }, SPAN)).toBe(`00-${TRACE}-${SPAN}-00`);
  });
});

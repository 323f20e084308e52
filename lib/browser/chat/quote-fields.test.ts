import { describe, expect, it } from 'vitest';
import { recordedSample } from '@/lib/protocol/tee/testing/recorded-samples';
import { quoteFields } from './quote-fields';

describe('the fields of a quote', () => {
  it.each([[null], ['x'], [{}], [{ intel_quote: '' }], [{ intel_quote: 'AAAA' }], [{ intel_quote: 'no base64!' }], [{ intel_quote: 3 }]])('are none of %j', (report) => {
    expect(quoteFields(report)).toBeNull();
  });

  const sample = recordedSample();
  if (sample) it('are those of a recorded quote', () => {
    const quote = sample.quote;
    const fields = new Map(quoteFields({ intel_quote: Buffer.from(quote).toString('base64') })?.map(({ name, value }) => [name, value]));
    expect(fields.get('Version')).toBe('4');
    expect(fields.get('MRTD')).toBe(Buffer.from(quote.subarray(184, 232)).toString('hex'));
    expect(fields.get('REPORTDATA: nonce')).toBe(Buffer.from(quote.subarray(600, 632)).toString('hex'));
    expect(fields.get('Certificate 3')).toContain('Intel SGX Root CA');
  });
});

import { describe, expect, it } from 'vitest';
import { recordedSample } from '@/lib/protocol/tee/testing/recorded-samples';
import { quotesOf } from './quote-field-list';

describe('the fields of a quote', () => {
  it.each([
    [null],
    ['x'],
    [{}],
    [{ intel_quote: '' }],
    [{ intel_quote: 'AAAA' }],
    [{ intel_quote: 'no base64!' }],
    [{ intel_quote: 3 }],
    [{ provider_answers: ['{}'] }],
    [{ provider_answers: 'x' }],
    [{ provider_answers: ['{"evidence":[{"quote":"AAAA","instance_id":"a"}]}'] }],
  ])('are empty for %j', (report) => {
    expect(quotesOf(report)).toEqual([]);
  });

  const sample = recordedSample();
  if (sample)
    it('are those of a recorded quote', () => {
      const quote = sample.quote;
      const fields = new Map(
        quotesOf({ intel_quote: Buffer.from(quote).toString('base64') })[0]?.fields.map(({ name, value }) => [
          name,
          value,
        ]),
      );
      expect(fields.get('Version')).toBe('4');
      expect(fields.get('MRTD')).toBe(Buffer.from(quote.subarray(184, 232)).toString('hex'));
      expect(fields.get('REPORTDATA: nonce')).toBe(Buffer.from(quote.subarray(600, 632)).toString('hex'));
      expect(fields.get('Certificate 3')).toContain('Intel SGX Root CA');
    });

  if (sample)
    it('are those of every enclave that a provider answered with, and not of a quote that stands beside its answer', () => {
      const quote = Buffer.from(sample.quote).toString('base64');
      const answer = { evidence: ['first', 'second'].map((id) => ({ quote, instance_id: id })) };
      const quotes = quotesOf({ intel_quote: 'AAAA', provider_answers: [JSON.stringify(answer)] });
      expect(quotes.map(({ role, name }) => [role, name])).toEqual([
        ['model', 'first'],
        ['model', 'second'],
      ]);
      const fields = new Map(quotes[1]?.fields.map(({ name, value }) => [name, value]));
      expect(fields.get('REPORTDATA: second half')).toBe(Buffer.from(sample.quote.subarray(600, 632)).toString('hex'));
      expect(fields.has('REPORTDATA: address')).toBe(false);
    });
});

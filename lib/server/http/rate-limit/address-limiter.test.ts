import { describe, expect, it } from 'vitest';
import { type ApiError, isApiError } from '@/lib/protocol/errors';
import { AddressLimiter } from './address-limiter';

const START = 1_700_000_000_000;

function refusal(take: () => void): ApiError {
  try {
    take();
  } catch (error) {
    if (isApiError(error)) return error;
    throw error;
  }
  throw new Error('Not refused.');
}

describe('requests a minute of one address', () => {
  it('beyond the limit are 429 with the cap and the reset in the headers, and the sentence in customMessage', () => {
    const limiter = new AddressLimiter(3);
    for (let i = 0; i < 3; i++) limiter.take('192.0.2.1', START);
    const error = refusal(() => limiter.take('192.0.2.1', START + 10_500));
    expect(error.code).toBe('MINUTE_CAP');
    expect(error.headers).toEqual({
      'x-ratelimit-limit': '3',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(START / 1000 + 60),
      'retry-after': '50',
    });
    expect(error.fields?.customMessage).toMatch(/3 requests a minute.*50 s/);
    limiter.take('192.0.2.1', START + 60_000);
  });

  it('are counted for each address alone', () => {
    const limiter = new AddressLimiter(1);
    limiter.take('192.0.2.1', START);
    limiter.take('192.0.2.2', START);
    refusal(() => limiter.take('192.0.2.2', START));
  });

  it('are counted for the /64 of an IPv6 address, of which a client has as many as it likes', () => {
    const limiter = new AddressLimiter(3);
    for (let i = 0; i < 3; i++) limiter.take(`2001:db8::${i}`, START);
    refusal(() => limiter.take('2001:db8::ffff:ffff:ffff:ffff', START));
    limiter.take('2001:db8:0:1::1', START);
  });

  it('of very many addresses take bounded memory, and the newest are not forgotten', () => {
    const limiter = new AddressLimiter(1);
    for (let i = 0; i < 120_000; i++) limiter.take(`a${i}`, START);
    refusal(() => limiter.take('a119999', START));
    limiter.take('a0', START);
  });
});

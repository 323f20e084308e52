import { mintRequestSchema } from '@/lib/protocol/api-keys/mint-request';
import { describe, expect, it } from 'vitest';
import { NO_FIELDS, readMintFields, withName } from './mint-fields';

const NOW = new Date('2026-11-21T12:00:00Z');
const WALLET = { address: '0x1', signature: '0x2', token: 't' };

describe('the form of a key', () => {
  it('asks for what was filled in, in the form that the service takes', () => {
    const read = readMintFields(
      {
        ...NO_FIELDS,
        type: 'ADMIN',
        name: ' Laptop ',
        expires: '2026-11-21',
        period: 'MONTH',
        usd: '12.50',
        diem: '0',
      },
      NOW,
    );
    expect(read).toEqual({
      ok: true,
      wish: {
        apiKeyType: 'ADMIN',
        description: 'Laptop',
        expiresAt: '2026-11-21',
        consumptionLimit: { usd: 12.5, diem: 0 },
        limitPeriod: 'MONTH',
      },
    });
    expect(mintRequestSchema.safeParse({ ...WALLET, ...(read.ok ? read.wish : {}) }).success).toBe(true);
  });

  it('asks for nothing that was left empty', () => {
    expect(readMintFields({ ...NO_FIELDS, period: 'EPOCH' }, NOW)).toEqual({
      ok: true,
      wish: { apiKeyType: 'INFERENCE' },
    });
  });

  it('lets the key spend prepaid money only where that was chosen, and up to an amount', () => {
    expect(readMintFields({ ...NO_FIELDS, spends: 'prepaid', prepaid: '2.50', period: 'EPOCH' }, NOW)).toEqual({
      ok: true,
      wish: { apiKeyType: 'INFERENCE', prepaidLimitUsd: 2.5, limitPeriod: 'EPOCH' },
    });
    expect(readMintFields({ ...NO_FIELDS, spends: 'allocation', prepaid: '2.50' }, NOW)).toEqual({
      ok: true,
      wish: { apiKeyType: 'INFERENCE' },
    });
    for (const prepaid of ['', '0', 'all', '-1', '1,5'])
      expect(readMintFields({ ...NO_FIELDS, spends: 'prepaid', prepaid }, NOW), prepaid).toEqual({
        ok: false,
        problems: { prepaid: expect.any(String) },
      });
  });

  it('asks for the scope that was chosen, in the form that the service takes', () => {
    const networks = withName(withName('', 'base-mainnet', true), 'solana-mainnet', true);
    const read = readMintFields({ ...NO_FIELDS, endpoints: 'chat,rpc', networks, models: 'guide' }, NOW);
    expect(read).toEqual({
      ok: true,
      wish: {
        apiKeyType: 'INFERENCE',
        allow: { endpoints: ['rpc', 'chat'], networks: ['base-mainnet', 'solana-mainnet'], models: ['guide'] },
      },
    });
    expect(mintRequestSchema.safeParse({ ...WALLET, ...(read.ok ? read.wish : {}) }).success).toBe(true);
    expect(withName(withName(networks, 'base-mainnet', true), 'solana-mainnet', false)).toBe('base-mainnet');
  });

  it('names each field that is wrong', () => {
    expect(readMintFields({ ...NO_FIELDS, name: 'a\nb', expires: '2026-11-20', usd: '-1', diem: '1e3' }, NOW)).toEqual({
      ok: false,
      problems: {
        name: expect.any(String),
        expires: expect.any(String),
        usd: expect.any(String),
        diem: expect.any(String),
      },
    });
    for (const usd of ['1,5', '.5', 'all', '1.0000000001'])
      expect(readMintFields({ ...NO_FIELDS, usd }, NOW).ok, usd).toBe(false);
  });
});

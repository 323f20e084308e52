import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { ATTACKS } from './attacks';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

describe('the list of attacks', () => {
  test('has an id of its own for each, which no other id begins with', () => {
    const ids = ATTACKS.map(({ id }) => id);
    expect(ids.filter((id) => !/^[a-z0-9]+(-[a-z0-9]+)+$/.test(id))).toEqual([]);
    expect(ids.filter((id) => ids.some((other) => other !== id && other.startsWith(id)))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('says of each in one sentence what is tried', () => {
    expect(ATTACKS.filter(({ title }) => !/^[A-Z0-9]/.test(title) || title.endsWith('.')).map(({ id }) => id)).toEqual(
      [],
    );
  });

  // Attacks that once succeeded, by their aim. Each must remain in the list.
  test.each([
    [
      'money that never came in',
      [
        'solana-pay-a-friend',
        'solana-pay-yourself',
        'solana-pay-the-fee-payer',
        'solana-two-transfers',
        'evm-bundled-executions',
      ],
    ],
    ["the fee payer's key", ['solana-fee-payer-signature', 'solana-fee-payer-drain', 'solana-priority-fee-drain']],
    ['a payment that was paid and denied', ['solana-dust-hides-payment', 'evm-facilitator-denies', 'evm-front-run']],
    [
      'a used authorization',
      ['evm-used-authorization', 'solana-used-message-other-signature', 'evm-malleable-signature'],
    ],
    [
      'gas and calls on our cost',
      ['evm-gas-burner', 'solana-calls-per-refused-payment', 'calls-per-refused-payment', 'open-payments-of-one-payer'],
    ],
    ['addresses that contracts name', ['lookup-by-top-up', 'lookup-by-sign-in', 'lookup-by-minting']],
    ['confirmations', ['evm-reorganised-chain', 'solana-credited-before-final']],
    ['forged sign-ins', ['sign-in-forged-by-one-address', 'sign-in-forged-for-one-wallet', 'sign-in-busy-slots']],
    [
      'keys of nobody',
      ['sign-in-zero-address', 'sign-in-low-order-keys', 'sign-in-odd-signatures', 'mint-for-zero-address'],
    ],
    [
      'forms of an address, and of a time',
      ['limit-by-forms-of-an-address', 'limit-by-forwarded-words', 'sign-in-ends-before-it-begins'],
    ],
    ['paths', ['path-inner-headers', 'path-faults', 'limit-by-odd-paths']],
    ['schemas', ['schema-references', 'schema-patterns', 'schema-branches', 'schema-unusable']],
    ['fields of a chat', ['chat-folded-fields', 'chat-limiting-fields', 'chat-repeated-fields']],
    ['the disk', ['disk-by-idempotency-keys']],
    ['leaving', ['leave-after-reads', 'leave-before-first-word']],
    ['workloads', ['proof-compose-hash-alone', 'proof-mrtd-alone', 'proof-mrtd-and-compose']],
    ['padding', ['proof-gpu-padding', 'proof-quote-padding']],
    ['a key that changed', ['proof-key-changed']],
    ['pages', ['page-without-policy', 'page-broken-router-state', 'challenge-of-another-host']],
  ])('tries %s', (_, ids) => {
    expect(ids.filter((id) => !ATTACKS.some((attack) => attack.id === id))).toEqual([]);
  });

  test('has a short form of every family that takes no long wait', () => {
    const families = new Set(ATTACKS.map(({ id }) => id.split('-')[0]));
    const quick = new Set(ATTACKS.filter(({ isQuick }) => isQuick).map(({ id }) => id.split('-')[0]));
    expect([...families].filter((family) => !quick.has(family)).sort()).toEqual(['disk', 'facilitator', 'open']);
  });
});

describe('docs/threats.md', () => {
  const rows = readFileSync(`${ROOT}docs/threats.md`, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| '));
  const shownBy = rows.flatMap((row) =>
    [...(row.split(' | ').at(-1) ?? '').matchAll(/`([^`]+)`/g)].map(([, named = '']) => named),
  );

  test('names tests that exist, and attacks of the list', () => {
    expect(shownBy.length).toBeGreaterThan(100);
    const isKnown = (named: string) =>
      named.includes('/') ? existsSync(ROOT + named) : ATTACKS.some(({ id }) => id === named);
    expect(shownBy.filter((named) => !isKnown(named))).toEqual([]);
  });

  test('says for each threat which test shows what stops it', () => {
    expect(
      rows.filter(
        (row) => !row.startsWith('| who') && !row.startsWith('| published') && !row.split(' | ').at(-1)?.includes('`'),
      ),
    ).toEqual([]);
  });
});

import { randomBytes } from 'node:crypto';
import { type Hex, zeroAddress } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { type Attack, judge } from './attack';
import { BASE, TESTNET } from './chains/chains';
import { evmPayment, present, presentUntilEnded, reasonOf, usd } from './chains/payments';
import { allRefused, altered, opening, USD } from './evm-opening';
import { counted } from './wire/burst';

const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** Payments that differ from the signed authorization, encode it in another way, or use it for another resource. */
export const EVM_ALTERED_PAYMENTS: readonly Attack[] = [
  {
    id: 'evm-used-authorization',
    title: 'A credited authorization again with another value, another receiver, another signature and none',
    needs: ['chains'],
    isQuick: true,
    run: async (target) => {
      const { accepted, account, books } = await opening(target);
      const { header } = await evmPayment(accepted, account);
      const first = await presentUntilEnded(target, header, 30_000);
      if (first.status !== 200) return judge(false, `an honest payment was not credited: ${reasonOf(first)}`);
      const noise: Hex = `0x${randomBytes(65).toString('hex')}`;
      const nobody = privateKeyToAccount(generatePrivateKey()).address;
      const again = [
        altered(header, { value: '90000000' }),
        altered(header, { to: nobody }),
        altered(header, { validBefore: '9999999999' }),
        altered(header, {}, { signature: noise }),
        altered(header, {}, { signature: '0x00' }),
      ];
      return allRefused(target, again, books, 5n * USD);
    },
  },
  {
    id: 'evm-replay-across-resources',
    title: 'One payment presented as a top-up of 5 USD, of 50 USD, and at other paths and hosts of the gateway',
    needs: ['chains'],
    isQuick: false,
    run: async (target) => {
      const { accepted, account, books } = await opening(target);
      const { header } = await evmPayment(accepted, account);
      const top = '/api/v1/x402/top-up';
      const answers = [];
      for (const path of [
        top,
        `${top}?amountUsd=50`,
        `${top}?x402Version=1`,
        `${top}/`,
        `/./api/v1/x402/top-up`,
        `${top}?other=resource`,
      ])
        answers.push(await present(target, header, { path }));
      return books.verdict(counted(answers.map(({ status }) => status)));
    },
  },
  {
    id: 'evm-substitutions',
    title: 'Payments that say another network, asset, receiver, amount or scheme than was signed or is asked for',
    needs: ['chains'],
    isQuick: true,
    run: async (target) => {
      const { accepted, account, books } = await opening(target);
      const { header } = await evmPayment(accepted, account);
      const nobody = privateKeyToAccount(generatePrivateKey()).address;
      const claims = [
        { network: 'eip155:1' },
        { network: TESTNET.caip2 },
        { asset: nobody },
        { payTo: nobody },
        { scheme: 'upto' },
        { amount: '50000000' },
      ];
      const elsewhere = await Promise.all([
        evmPayment({ ...accepted, payTo: nobody }, account),
        evmPayment({ ...accepted, asset: nobody }, account),
        evmPayment({ ...accepted, amount: '4999999' }, account),
      ]);
      const signedElsewhere = elsewhere.map((payment) =>
        altered(payment.header, {}, {}, { payTo: accepted.payTo, asset: accepted.asset }),
      );
      const values = ['90000000', '0', '5000001'].map((value) => altered(header, { value }));
      return allRefused(
        target,
        [
          ...claims.map((claim) => altered(header, {}, {}, claim)),
          ...signedElsewhere,
          ...values,
          altered(header, { from: nobody }),
          altered(header, { from: zeroAddress }),
        ],
        books,
      );
    },
  },
  {
    id: 'evm-cross-chain-replay',
    title: 'A payment signed for another chain presented here, and one that was credited here presented for the other',
    needs: ['chains'],
    isQuick: true,
    run: async (target) => {
      const { accepted, account, books } = await opening(target);
      const foreign = await evmPayment({ ...accepted, network: TESTNET.caip2 }, account);
      const mainnet = await evmPayment({ ...accepted, network: 'eip155:1' }, account);
      const { header } = await evmPayment(accepted, account);
      const first = await presentUntilEnded(target, header, 30_000);
      if (first.status !== 200) return judge(false, `an honest payment was not credited: ${reasonOf(first)}`);
      const here = { network: BASE.caip2 };
      return allRefused(
        target,
        [
          altered(foreign.header, {}, {}, here),
          altered(mainnet.header, {}, {}, here),
          altered(header, {}, {}, { network: TESTNET.caip2 }),
        ],
        books,
        5n * USD,
      );
    },
  },
  {
    id: 'evm-windows',
    title: 'Authorizations that have expired, are not valid yet, end before they begin, or hold for a year',
    needs: ['chains'],
    isQuick: true,
    run: async (target) => {
      const { accepted, account, books } = await opening(target);
      const now = BigInt(Math.floor(Date.now() / 1000));
      const windows = [
        { validBefore: now - 60n },
        { validAfter: now + 3_600n, validBefore: now + 7_200n },
        { validAfter: now + 60n, validBefore: now + 30n },
        { validBefore: now + 31_536_000n },
        { validBefore: 2n ** 256n - 1n },
      ];
      const payments = await Promise.all(windows.map((window) => evmPayment(accepted, account, window)));
      return allRefused(
        target,
        payments.map(({ header }) => header),
        books,
      );
    },
  },
  {
    id: 'evm-malleable-signature',
    title:
      'The mirrored signature (high s) of a payment, before and after it was credited, and longer and shorter ones',
    needs: ['chains'],
    isQuick: true,
    run: async (target) => {
      const { accepted, account, books } = await opening(target);
      const { header, signature } = await evmPayment(accepted, account);
      // Removes two bytes, because half of all signatures stay valid if only the last byte is missing (EIP-2098's short
      // form).
      const forms = [malleated(signature), `${signature}00`, signature.slice(0, -4), `0x${'00'.repeat(64)}1b`] as const;
      const headers = forms.map((form) => altered(header, {}, { signature: form }));
      const before = await Promise.all(headers.map((each) => present(target, each)));
      const first = await presentUntilEnded(target, header, 30_000);
      const after = await Promise.all(headers.map((each) => present(target, each)));
      const { gained, credited } = await books.close();
      const refused = [...before, ...after].every(({ status }) => status === 400);
      return judge(
        refused && gained === credited,
        `${counted([...before, ...after].map(reasonOf))}, the payment itself ${first.status}; credited ${usd(credited)}, the receiver gained ${usd(gained)}`,
      );
    },
  },
  {
    id: 'evm-amount-forms',
    title: 'Amounts in forms that parsers read differently: 1e7, hexadecimal, signed, padded, beyond 256 bits',
    needs: ['chains'],
    isQuick: true,
    run: async (target) => {
      const { accepted, account, books } = await opening(target);
      const { header } = await evmPayment(accepted, account);
      const forms = [
        '1e7',
        '0x4c4b40',
        '+5000000',
        ' 5000000',
        '5000000.0',
        '５００００００',
        '-5000000',
        '',
        (2n ** 256n + 5_000_000n).toString(),
      ];
      return allRefused(
        target,
        forms.flatMap((form) => [altered(header, { value: form }), altered(header, {}, {}, { amount: form })]),
        books,
      );
    },
  },
];

/** Returns the second valid signature of the same message and key: s becomes the curve order minus s. */
function malleated(signature: Hex): Hex {
  const s = BigInt(`0x${signature.slice(66, 130)}`);
  const v = parseInt(signature.slice(130), 16) === 27 ? '1c' : '1b';
  return `${signature.slice(0, 66) as Hex}${(CURVE_ORDER - s).toString(16).padStart(64, '0')}${v}`;
}

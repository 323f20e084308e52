import { randomBytes } from 'node:crypto';
import { encodeAbiParameters, encodeFunctionData, type Hex, parseAbi, serializeErc6492Signature, zeroAddress } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { AUTHORIZABLE_USD_ABI } from '@/lib/protocol/contract-abis';
import { SANDBOX_CONTRACTS } from '@/lib/protocol/sandbox-contracts';
import { type Attack, held, judge, type Verdict } from './attack';
import { openBooks } from './books';
import { BASE, callRpc, TESTNET } from './chains/chains';
import { deploy, evmReader, evmSignIn, executeAuthorization, fundedEvmAccount, sendEvm } from './chains/evm-account';
import { FLIPPING_CODE, gasBurnerCode } from './chains/hostile-contracts';
import { acceptedOn, decodePayment, encodePayment, evmPayment, present, presentUntilEnded, reasonOf, usd, wakeChain } from './chains/payments';
import { chainsOf, ownOf, type Target } from './target';
import { counted } from './wire/burst';
import type { PaymentJson } from './wire/payment-json';

const USD = 1_000_000n;
const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const MULTICALL3 = '0xcA11bde05977b3631167028862bE2a173976CA11';
const MULTICALL_ABI = parseAbi(['struct Call { address target; bytes callData; }', 'function aggregate(Call[] calls) payable returns (uint256 blockNumber, bytes[] returnData)']);
const CANCEL_TYPES = { CancelAuthorization: [{ name: 'authorizer', type: 'address' }, { name: 'nonce', type: 'bytes32' }] } as const;

/** What an attack on this rail begins with. */
async function opening(target: Target, { amountUsd, network = BASE as { slug: string; caip2: string } }: { amountUsd?: number; network?: { slug: string; caip2: string } } = {}) {
  const chains = chainsOf(target);
  await wakeChain(target, network.slug);
  const [accepted, account] = await Promise.all([acceptedOn(target, network.caip2, amountUsd), fundedEvmAccount(chains)]);
  const payer = { address: account.address.toLowerCase(), signIn: await evmSignIn(target, account) };
  const books = await openBooks(target, accepted, [payer]);
  return { chains, accepted, account, payer, books };
}

/** Presents payments that must all be refused, and compares the books. */
async function allRefused(target: Target, headers: readonly string[], books: Awaited<ReturnType<typeof opening>>['books'], gained = 0n): Promise<Verdict> {
  const answers = [];
  for (const header of headers) answers.push(await present(target, header));
  const closed = await books.close();
  const isHeld = closed.gained === gained && closed.credited === gained && answers.every(({ status }) => status === 400);
  return judge(isHeld, `${counted(answers.map(reasonOf))}; credited ${usd(closed.credited)}, the receiver gained ${usd(closed.gained)}`);
}

/** The same payment with other words in its authorization, or around it. */
function altered(header: string, authorization: Record<string, string>, payload: object = {}, accepted: object = {}): string {
  const payment = decodePayment(header);
  return encodePayment({ ...payment, accepted: { ...payment.accepted, ...accepted }, payload: { ...payment.payload, authorization: { ...payment.payload.authorization, ...authorization }, ...payload } });
}

/** The other signature of the same message by the same key: s replaced by the order of the curve less s. */
function malleated(signature: Hex): Hex {
  const s = BigInt(`0x${signature.slice(66, 130)}`);
  const v = parseInt(signature.slice(130), 16) === 27 ? '1c' : '1b';
  return `${signature.slice(0, 66) as Hex}${(CURVE_ORDER - s).toString(16).padStart(64, '0')}${v}`;
}

export const EVM_ATTACKS: readonly Attack[] = [
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
      const again = [altered(header, { value: '90000000' }), altered(header, { to: nobody }), altered(header, { validBefore: '9999999999' }), altered(header, {}, { signature: noise }), altered(header, {}, { signature: '0x00' })];
      return allRefused(target, again, books, 5n * USD);
    },
  },
  {
    id: 'evm-double-submit',
    title: 'One payment presented ten times in parallel, under the three names of the header',
    needs: ['chains'],
    isQuick: true,
    run: async (target) => {
      const { accepted, account, books } = await opening(target);
      const { header } = await evmPayment(accepted, account);
      const names = ['payment-signature', 'x-payment', 'x-402-payment'];
      const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => present(target, header, { name: names[index % names.length] ?? '' })));
      return books.verdict(counted(answers.map(reasonOf)));
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
      for (const path of [top, `${top}?amountUsd=50`, `${top}?x402Version=1`, `${top}/`, `/./api/v1/x402/top-up`, `${top}?other=resource`]) answers.push(await present(target, header, { path }));
      return books.verdict(counted(answers.map(({ status }) => status)));
    },
  },
  {
    id: 'evm-front-run',
    title: 'A third party that saw the payment executes it first; whoever paid must not be denied, nor credited twice',
    needs: ['chains'],
    isQuick: true,
    run: async (target) => {
      const { chains, accepted, account, books } = await opening(target);
      const { header, draft, signature } = await evmPayment(accepted, account);
      const other = await fundedEvmAccount(chains);
      const [, ...answers] = await Promise.all([executeAuthorization(chains, other, draft.typedData.message, signature), presentUntilEnded(target, header, 40_000)]);
      answers.push(await presentUntilEnded(target, header, 40_000));
      return books.verdict(`presented twice: ${counted(answers.map(reasonOf))}`);
    },
  },
  {
    id: 'evm-bundled-executions',
    title: 'A payment of 5 USD executed in one transaction with one of 90 USD of the same payer to itself',
    needs: ['chains'],
    isQuick: true,
    run: async (target) => {
      const { chains, accepted, account, books } = await opening(target);
      const [small, large] = await Promise.all([evmPayment(accepted, account), evmPayment(accepted, account, { to: account.address, value: 90n * USD })]);
      const calls = [large, small].map(({ draft: { typedData }, signature }) => {
        const { from, to, value, validAfter, validBefore, nonce } = typedData.message;
        return { target: SANDBOX_CONTRACTS.usdc, callData: encodeFunctionData({ abi: AUTHORIZABLE_USD_ABI, functionName: 'transferWithAuthorization', args: [from, to, value, validAfter, validBefore, nonce, signature] }) } as const;
      });
      await sendEvm(chains, await fundedEvmAccount(chains), { to: MULTICALL3, data: encodeFunctionData({ abi: MULTICALL_ABI, functionName: 'aggregate', args: [calls] }) });
      const answers = [await presentUntilEnded(target, small.header, 30_000), await present(target, large.header), await present(target, altered(large.header, { to: accepted.payTo }))];
      return books.verdict(answers.map(reasonOf).join(', '));
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
      const claims = [{ network: 'eip155:1' }, { network: TESTNET.caip2 }, { asset: nobody }, { payTo: nobody }, { scheme: 'upto' }, { amount: '50000000' }];
      const elsewhere = await Promise.all([evmPayment({ ...accepted, payTo: nobody }, account), evmPayment({ ...accepted, asset: nobody }, account), evmPayment({ ...accepted, amount: '4999999' }, account)]);
      const signedElsewhere = elsewhere.map((payment) => altered(payment.header, {}, {}, { payTo: accepted.payTo, asset: accepted.asset }));
      const values = ['90000000', '0', '5000001'].map((value) => altered(header, { value }));
      return allRefused(target, [...claims.map((claim) => altered(header, {}, {}, claim)), ...signedElsewhere, ...values, altered(header, { from: nobody }), altered(header, { from: zeroAddress })], books);
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
      return allRefused(target, [altered(foreign.header, {}, {}, here), altered(mainnet.header, {}, {}, here), altered(header, {}, {}, { network: TESTNET.caip2 })], books, 5n * USD);
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
      const windows = [{ validBefore: now - 60n }, { validAfter: now + 3_600n, validBefore: now + 7_200n }, { validAfter: now + 60n, validBefore: now + 30n }, { validBefore: now + 31_536_000n }, { validBefore: 2n ** 256n - 1n }];
      const payments = await Promise.all(windows.map((window) => evmPayment(accepted, account, window)));
      return allRefused(target, payments.map(({ header }) => header), books);
    },
  },
  {
    id: 'evm-malleable-signature',
    title: 'The mirrored signature (high s) of a payment, before and after it was credited, and longer and shorter ones',
    needs: ['chains'],
    isQuick: true,
    run: async (target) => {
      const { accepted, account, books } = await opening(target);
      const { header, signature } = await evmPayment(accepted, account);
      // Without its last byte alone, every second signature is the same one in the short form of EIP-2098.
      const forms = [malleated(signature), `${signature}00`, signature.slice(0, -4), `0x${'00'.repeat(64)}1b`] as const;
      const headers = forms.map((form) => altered(header, {}, { signature: form }));
      const before = await Promise.all(headers.map((each) => present(target, each)));
      const first = await presentUntilEnded(target, header, 30_000);
      const after = await Promise.all(headers.map((each) => present(target, each)));
      const { gained, credited } = await books.close();
      const refused = [...before, ...after].every(({ status }) => status === 400);
      return judge(refused && gained === credited, `${counted([...before, ...after].map(reasonOf))}, the payment itself ${first.status}; credited ${usd(credited)}, the receiver gained ${usd(gained)}`);
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
      const forms = ['1e7', '0x4c4b40', '+5000000', ' 5000000', '5000000.0', '５００００００', '-5000000', '', (2n ** 256n + 5_000_000n).toString()];
      return allRefused(target, forms.flatMap((form) => [altered(header, { value: form }), altered(header, {}, {}, { amount: form })]), books);
    },
  },
  {
    id: 'evm-overdraft',
    title: 'Ten payments of 90 USD at once from a wallet that has 100 USD',
    needs: ['chains'],
    isQuick: false,
    run: async (target) => {
      const { accepted, account, books } = await opening(target, { amountUsd: 90 });
      const payments = await Promise.all(Array.from({ length: 10 }, () => evmPayment(accepted, account)));
      const answers = await Promise.all(payments.map(({ header }) => present(target, header)));
      return books.verdict(counted(answers.map(reasonOf)));
    },
  },
  {
    id: 'evm-cancelled-while-settling',
    title: 'A payer that cancels its authorization on chain while the gateway settles it',
    needs: ['chains'],
    isQuick: false,
    run: async (target) => {
      const { chains, accepted, account, books } = await opening(target);
      const answers = await Promise.all(
        Array.from({ length: 4 }, async () => {
          const { header, draft } = await evmPayment(accepted, account);
          const { nonce } = draft.typedData.message;
          const signature = await account.signTypedData({ domain: draft.typedData.domain, types: CANCEL_TYPES, primaryType: 'CancelAuthorization', message: { authorizer: account.address, nonce } });
          const other = await fundedEvmAccount(chains);
          const cancel = sendEvm(chains, other, { to: SANDBOX_CONTRACTS.usdc, data: encodeFunctionData({ abi: AUTHORIZABLE_USD_ABI, functionName: 'cancelAuthorization', args: [account.address, nonce, signature] }) }).catch(() => null);
          const [answer] = await Promise.all([presentUntilEnded(target, header, 30_000), cancel]);
          return answer;
        }),
      );
      return books.verdict(counted(answers.map(reasonOf)));
    },
  },
  {
    id: 'evm-leave-while-settling',
    title: 'A payer that leaves as soon as the payment was sent, and presents it again',
    needs: ['chains'],
    isQuick: true,
    run: async (target) => {
      const { accepted, account, books } = await opening(target);
      const { header } = await evmPayment(accepted, account);
      const leaving = [2, 10, 40].map((afterMs) => present(target, header, { signal: AbortSignal.timeout(afterMs) }));
      await Promise.all(leaving);
      const answer = await presentUntilEnded(target, header, 30_000);
      return books.verdict(`the last answer: ${reasonOf(answer)}`);
    },
  },
  {
    id: 'evm-gas-burner',
    title: 'A contract wallet that agrees in simulation and burns all gas on chain',
    needs: ['chains', 'settles itself', 'chain control'],
    isQuick: false,
    run: burnGas,
  },
  {
    id: 'evm-flipping-signature',
    title: 'A contract wallet that agrees in every second block only (EIP-1271)',
    needs: ['chains'],
    isQuick: false,
    run: async (target) => {
      const { chains, accepted, account } = await opening(target);
      const wallet = await deploy(chains, account, FLIPPING_CODE);
      await chains.fund(wallet);
      const reader = () => evmReader(chains).readContract({ address: SANDBOX_CONTRACTS.usdc, abi: AUTHORIZABLE_USD_ABI, functionName: 'balanceOf', args: [wallet] });
      const before = { received: await receivedBy(target, accepted.payTo), wallet: await reader() };
      const answers = [];
      for (let block = 0; block < 4; block += 1) {
        await sendEvm(chains, account, { to: account.address });
        answers.push(await presentUntilEnded(target, await contractPayment(accepted, wallet), 15_000));
      }
      const credits = new Set(answers.filter(({ status }) => status === 200).map(({ json }) => (json.data as { paymentId: string }).paymentId));
      const gained = (await receivedBy(target, accepted.payTo)) - before.received;
      const paid = before.wallet - (await reader());
      return judge(BigInt(credits.size) * 5n * USD <= gained && paid === gained, `${counted(answers.map(reasonOf))}; ${credits.size} credits of 5 USD, the receiver gained ${usd(gained)}`);
    },
  },
  {
    id: 'evm-factory-abuse',
    title: 'ERC-6492 signatures whose factory is the attacker\'s contract, and whose call is a transfer of the token',
    needs: ['chains'],
    isQuick: true,
    run: async (target) => {
      const { chains, accepted, account, books } = await opening(target);
      const factory = await deploy(chains, account, FLIPPING_CODE);
      const victim = { abi: AUTHORIZABLE_USD_ABI, functionName: 'transfer', args: [account.address, 1n] } as const;
      const inner: Hex = `0x${'ab'.repeat(65)}`;
      const calls = [{ address: factory, data: '0x12345678' as Hex }, { address: SANDBOX_CONTRACTS.usdc as Hex, data: encodeFunctionData(victim) }];
      const wallet = privateKeyToAccount(generatePrivateKey()).address;
      const headers = await Promise.all(calls.map(async (call) => altered((await evmPayment(accepted, account)).header, { from: wallet }, { signature: serializeErc6492Signature({ ...call, signature: inner }) })));
      const sent = await settlerNonce(target);
      const verdict = await allRefused(target, headers, books);
      const more = (await settlerNonce(target)) - sent;
      return more > 0 ? judge(false, `the settling key sent ${more} transactions; ${verdict.evidence}`) : verdict;
    },
  },
  {
    id: 'evm-facilitator-denies',
    title: 'A facilitator that pays and says that it did not: whoever paid must have the credit',
    needs: ['chains', 'remote facilitator'],
    isQuick: true,
    run: async (target) => {
      const { accepted, account, books } = await opening(target);
      const { facilitator } = ownOf(target);
      if (!facilitator) return held('there is no facilitator');
      const { header } = await evmPayment(accepted, account);
      const deny = async (payment: PaymentJson) => {
        await facilitator.execute(payment).catch(() => null);
        return { body: { success: false, errorReason: 'unexpected_settle_error', transaction: '', network: BASE.caip2 } };
      };
      const answer = await facilitator.behaving(deny, () => presentUntilEnded(target, header, 40_000));
      const { gained, credited } = await books.close();
      return judge(answer.status === 200 && gained === credited, `${reasonOf(answer)}; credited ${usd(credited)}, the receiver gained ${usd(gained)}`);
    },
  },
  {
    id: 'evm-facilitator-claims',
    title: 'A facilitator that claims success without paying: with a made-up hash, and with that of somebody else\'s payment',
    needs: ['chains', 'remote facilitator'],
    isQuick: false,
    run: async (target) => {
      const { chains, accepted, account, payer } = await opening(target);
      const { facilitator } = ownOf(target);
      if (!facilitator) return held('there is no facilitator');
      const other = await fundedEvmAccount(chains);
      const theirs = await evmPayment(accepted, other);
      const elsewhere = await executeAuthorization(chains, other, theirs.draft.typedData.message, theirs.signature);
      const books = await openBooks(target, accepted, [payer]);
      const seen: string[] = [];
      for (const transaction of [`0x${randomBytes(32).toString('hex')}`, elsewhere]) {
        const { header } = await evmPayment(accepted, account);
        const claim = { body: { success: true, transaction, network: BASE.caip2, payer: account.address } };
        seen.push(reasonOf(await facilitator.behaving(() => Promise.resolve(claim), () => present(target, header))));
      }
      return books.verdict(seen.join(', '));
    },
  },
  {
    id: 'evm-reorganised-chain',
    title: 'A payment whose block, and the two after it, are reorganised away: it must not have been credited by then',
    needs: ['chains', 'chain control', 'live limits'],
    isQuick: true,
    run: reorganise,
  },
];

async function burnGas(target: Target): Promise<Verdict> {
  const { chains, accepted, account } = await opening(target);
  const wallet = await deploy(chains, account, gasBurnerCode(200_000));
  await chains.fund(wallet);
  const settler = ownOf(target).settlers?.evm ?? zeroAddress;
  const coin = () => evmReader(chains).getBalance({ address: settler });
  const before = { coin: await coin(), sent: await settlerNonce(target), block: await evmReader(chains).getBlockNumber() };
  const answer = await presentUntilEnded(target, await contractPayment(accepted, wallet), 15_000);
  const sent = (await settlerNonce(target)) - before.sent;
  const gas = await gasUsedBy(target, settler, before.block);
  return judge(sent <= 1 && gas <= 500_000n, `the settling key sent ${sent} transactions that used ${gas} gas; ${reasonOf(answer)}`);
}

async function reorganise(target: Target): Promise<Verdict> {
  const { chains, accepted, account, books } = await opening(target, { network: TESTNET });
  const url = chains.rpcUrl(TESTNET.slug);
  const before = await callRpc<string>(url, 'eth_blockNumber');
  const { header } = await evmPayment(accepted, account);
  const answered = present(target, header);
  const executed = async (): Promise<boolean> => (await receivedBy(target, accepted.payTo, TESTNET.slug)) > 0n && BigInt(await callRpc<string>(url, 'eth_blockNumber')) > BigInt(before);
  for (let polls = 0; polls < 50 && !(await executed()); polls += 1) await new Promise((resolve) => setTimeout(resolve, 100));
  await callRpc(url, 'anvil_mine', ['0x2', '0x0']);
  await answered;
  const { credited } = await books.close();
  const depth = Number(BigInt(await callRpc<string>(url, 'eth_blockNumber')) - BigInt(before));
  await callRpc(url, 'anvil_rollback', [depth]);
  const gained = (await books.close()).gained;
  return judge(credited <= gained, `credited ${usd(credited)} within ${depth} blocks; after they were reorganised away the receiver has ${usd(gained)} of it`);
}

/** A payment in the name of a contract, whose signature is for the contract to judge. */
async function contractPayment(accepted: Parameters<typeof evmPayment>[0], wallet: Hex): Promise<string> {
  const nobody = privateKeyToAccount(generatePrivateKey());
  const { header } = await evmPayment(accepted, nobody);
  return altered(header, { from: wallet }, { signature: encodeAbiParameters([{ type: 'bytes' }], [`0x${'ab'.repeat(65)}`]) });
}

function receivedBy(target: Target, payTo: string, network: string = BASE.slug): Promise<bigint> {
  return evmReader(chainsOf(target), network).readContract({ address: SANDBOX_CONTRACTS.usdc, abi: AUTHORIZABLE_USD_ABI, functionName: 'balanceOf', args: [payTo as Hex] });
}

/** How many transactions the key that settles on Base has sent; none where nobody tells which it is. */
function settlerNonce(target: Target): Promise<number> {
  const address = target.own?.settlers?.evm ?? target.own?.facilitator?.evm.address;
  return address ? evmReader(chainsOf(target)).getTransactionCount({ address }) : Promise.resolve(0);
}

async function gasUsedBy(target: Target, sender: Hex, afterBlock: bigint): Promise<bigint> {
  const reader = evmReader(chainsOf(target));
  const latest = await reader.getBlockNumber();
  let gas = 0n;
  for (let blockNumber = afterBlock + 1n; blockNumber <= latest; blockNumber += 1n) {
    const { transactions } = await reader.getBlock({ blockNumber, includeTransactions: true });
    for (const { from, hash } of transactions) if (from.toLowerCase() === sender.toLowerCase()) gas += (await reader.getTransactionReceipt({ hash })).gasUsed;
  }
  return gas;
}

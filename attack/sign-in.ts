import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { base58 } from '@scure/base';
import { encodeFunctionData, type Hex, zeroAddress } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { SMART_WALLET_FACTORY_ABI } from '@/lib/protocol/contract-abis';
import { buildSignIn } from '@/lib/protocol/sign-in/build-sign-in';
import { SANDBOX_CONTRACTS } from '@/lib/protocol/sandbox-contracts';
import { type Attack, judge } from './attack';
import { BASE, SOLANA } from './chains/chains';
import { evmReader, fundedEvmAccount, sendEvm } from './chains/evm-account';
import { methodsOf } from './stage/recorder';
import { chainsOf, ownOf, type Target } from './target';
import { type Answer, ask, askJson, newAddress } from './wire/ask';
import { burst, counted } from './wire/burst';

const MINT = '/api/v1/api_keys/generate_web3_key';
/** Number of forged sign-ins per attack, and the maximum number of node calls that they may cause. */
const FORGED = 200;
const NODE_CALLS_MAX = 80;
const CURVE_ORDER = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141';

/** Returns a sign-in header with an arbitrary signature. */
export function forgedSignIn(
  { url }: Pick<Target, 'url'>,
  address: string,
  signature: string,
  more: { chainId?: string | number; uri?: string; now?: number; lifetimeMs?: number } = {},
): { 'sign-in-with-x': string } {
  const { uri = url, ...rest } = more;
  return { 'sign-in-with-x': buildSignIn({ address, uri, chainId: BASE.chainId, ...rest }).header(signature) };
}

function noise(bytes = 65): Hex {
  return `0x${randomBytes(bytes).toString('hex')}`;
}

/**
 * Returns signatures from which either no key or an unrelated key is recovered. ecrecover returns zero if there is no
 * key.
 */
function unreadableSignatures(): string[] {
  const zeros = '00'.repeat(32);
  return [
    `0x${zeros}${zeros}1b`,
    `0x${zeros}${zeros}00`,
    `0x${'ff'.repeat(32)}${zeros}1b`,
    `0x${'ff'.repeat(32)}${'11'.repeat(32)}1c`,
    `0x${CURVE_ORDER}${'11'.repeat(32)}1b`,
    `0x${'11'.repeat(32)}${CURVE_ORDER}1b`,
    `0x${'11'.repeat(64)}05`,
    noise(),
    noise(),
    noise(),
    '0x',
    noise(64),
    noise(96),
  ];
}

/** Makes a request that only a signed-in wallet may make. Forgers must get 401. */
function signedIn(target: Target, headers: { 'sign-in-with-x': string }, from?: string): Promise<Answer> {
  return ask(target, { path: '/api/v1/billing/balance', headers, ...(from && { from }) });
}

/**
 * Waits once if earlier attacks have used up the address's limit per minute. An attacker from outside has only one
 * address.
 */
async function mintToken(target: Target): Promise<string> {
  let answer = await ask(target, { path: MINT });
  if (answer.status === 429) {
    await sleep(Math.min(Number(answer.headers['retry-after'] ?? 60), 60) * 1_000);
    answer = await ask(target, { path: MINT });
  }
  return (answer.json.data as { token?: string } | undefined)?.token ?? '';
}

async function allUnknown(target: Target, headers: readonly { 'sign-in-with-x': string }[]) {
  const answers = await burst(headers.length, (index) => signedIn(target, headers[index] ?? { 'sign-in-with-x': '' }));
  return judge(
    answers.every(({ status }) => status === 401),
    counted(answers.map(({ status }) => status)),
  );
}

function nodeCalls(target: Target, startedMs: number): string[] {
  return methodsOf(ownOf(target).recorder.since(startedMs, '/evm')).filter(
    (method) => method === 'eth_call' || method === 'eth_getCode',
  );
}

export const SIGN_IN_ATTACKS: readonly Attack[] = [
  {
    id: 'sign-in-forged-by-one-address',
    title: `${FORGED} forged sign-ins of as many wallets from one address: what they have the nodes asked`,
    needs: ['own gateway', 'live limits'],
    isQuick: true,
    run: async (target) => {
      const [startedMs, from] = [performance.now(), newAddress()];
      const answers = await burst(FORGED, () =>
        signedIn(target, forgedSignIn(target, privateKeyToAccount(generatePrivateKey()).address, noise()), from),
      );
      const calls = nodeCalls(target, startedMs).length;
      return judge(
        calls <= NODE_CALLS_MAX,
        `${calls} calls of the nodes; ${counted(answers.map(({ status }) => status))}`,
      );
    },
  },
  {
    id: 'sign-in-forged-for-one-wallet',
    title: `${FORGED} forged sign-ins of one wallet from as many addresses: what they have the nodes asked`,
    needs: ['own gateway', 'live limits'],
    isQuick: true,
    run: async (target) => {
      const [startedMs, wallet] = [performance.now(), privateKeyToAccount(generatePrivateKey()).address];
      const answers = await burst(FORGED, () => signedIn(target, forgedSignIn(target, wallet, noise())));
      const calls = nodeCalls(target, startedMs).length;
      return judge(
        calls <= NODE_CALLS_MAX,
        `${calls} calls of the nodes; ${counted(answers.map(({ status }) => status))}`,
      );
    },
  },
  {
    id: 'sign-in-busy-slots',
    title: 'Forgers keep a slow node busy from 80 addresses while the smart wallet of a customer signs in',
    needs: ['own gateway', 'chains'],
    isQuick: true,
    run: async (target) => {
      const chains = chainsOf(target);
      const owner = await fundedEvmAccount(chains);
      const args = [owner.address, `0x${'17'.repeat(32)}`] as const;
      await sendEvm(chains, owner, {
        to: SANDBOX_CONTRACTS.smartWalletFactory,
        data: encodeFunctionData({ abi: SMART_WALLET_FACTORY_ABI, functionName: 'createWallet', args }),
      });
      const wallet = await evmReader(chains).readContract({
        address: SANDBOX_CONTRACTS.smartWalletFactory,
        abi: SMART_WALLET_FACTORY_ABI,
        functionName: 'addressOf',
        args,
      });
      const unsigned = buildSignIn({ address: wallet, uri: target.url, chainId: BASE.chainId });
      const real = { 'sign-in-with-x': unsigned.header(await owner.signMessage({ message: unsigned.text })) };
      const { recorder, grant } = ownOf(target);
      grant(wallet.toLowerCase());
      recorder.delayMs = ({ path, body }) =>
        path.startsWith('/evm') &&
        body.includes('eth_call') &&
        !body.toLowerCase().includes(wallet.slice(2).toLowerCase())
          ? 3_000
          : 0;
      const forging = burst(
        80,
        () => signedIn(target, forgedSignIn(target, privateKeyToAccount(generatePrivateKey()).address, noise())),
        80,
      );
      await new Promise((resolve) => setTimeout(resolve, 700));
      const answers = [await signedIn(target, real), await signedIn(target, real)];
      recorder.delayMs = () => 0;
      const forged = await forging;
      return judge(
        answers[0]?.status === 200,
        `the real wallet: ${answers.map(({ status }) => status).join(', ')}; forgers: ${counted(forged.map(({ status }) => status))}`,
      );
    },
  },
  {
    id: 'sign-in-zero-address',
    title: 'Sign-ins of the zero address with signatures that ecrecover cannot read',
    needs: [],
    isQuick: true,
    run: (target) => {
      return allUnknown(
        target,
        unreadableSignatures().map((signature) => forgedSignIn(target, zeroAddress, signature)),
      );
    },
  },
  {
    id: 'sign-in-low-order-keys',
    title: 'Sign-ins of Solana addresses that are points of low order, or forms of points that are not canonical',
    needs: [],
    isQuick: true,
    run: (target) => {
      const point = (first: string, middle: string, last: string) => `${first}${middle.repeat(30)}${last}`;
      const keys = [
        point('01', '00', '00'),
        point('00', '00', '00'),
        point('00', '00', '80'),
        point('01', '00', '80'),
        point('ec', 'ff', '7f'),
        point('ec', 'ff', 'ff'),
        point('ed', 'ff', '7f'),
        point('ee', 'ff', '7f'),
        'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
        '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
      ];
      const commitments = [point('01', '00', '00'), point('00', '00', '00'), point('ec', 'ff', '7f')];
      const headers = keys.flatMap((key) =>
        commitments.map((commitment) =>
          forgedSignIn(
            target,
            base58.encode(Buffer.from(key, 'hex')),
            base58.encode(Buffer.from(`${commitment}${'00'.repeat(32)}`, 'hex')),
            { chainId: SOLANA.caip2 },
          ),
        ),
      );
      // Tries each header four times. With a point of small order, whether the equation holds depends on the text.
      return allUnknown(target, Array.from({ length: 4 }, () => headers).flat());
    },
  },
  {
    id: 'sign-in-odd-signatures',
    title: "A wallet's own signature with bytes after it, cut short, and in the compact form",
    needs: [],
    isQuick: true,
    run: async (target) => {
      const account = privateKeyToAccount(generatePrivateKey());
      const unsigned = buildSignIn({ address: account.address, uri: target.url, chainId: BASE.chainId });
      const signature = await account.signMessage({ message: unsigned.text });
      return allUnknown(
        target,
        [
          `${signature}00`,
          `${signature}${'ab'.repeat(31)}`,
          signature.slice(0, -2),
          signature.slice(0, 130),
          `0x1b${signature.slice(2, 130)}`,
        ].map((each) => ({ 'sign-in-with-x': unsigned.header(each) })),
      );
    },
  },
  {
    id: 'sign-in-ends-before-it-begins',
    title: 'Sign-ins that expire before or when they are issued, both a little ahead of now',
    needs: [],
    isQuick: true,
    run: async (target) => {
      const account = privateKeyToAccount(generatePrivateKey());
      const headers = await Promise.all(
        [
          [50_000, -20_000],
          [50_000, -1_000],
          [30_000, 0],
        ].map(async ([aheadMs = 0, lifetimeMs = 0]) => {
          const unsigned = buildSignIn({
            address: account.address,
            uri: target.url,
            chainId: BASE.chainId,
            now: Date.now() + aheadMs,
            lifetimeMs,
          });
          return { 'sign-in-with-x': unsigned.header(await account.signMessage({ message: unsigned.text })) };
        }),
      );
      return allUnknown(target, headers);
    },
  },
  {
    id: 'sign-in-of-another-host',
    title: 'Sign-ins that were signed for another host, chain or wallet',
    needs: [],
    isQuick: true,
    run: async (target) => {
      const [account, other] = [privateKeyToAccount(generatePrivateKey()), privateKeyToAccount(generatePrivateKey())];
      const sign = async (uri: string, chainId: number, signer = account) => {
        const unsigned = buildSignIn({ address: account.address, uri, chainId });
        return { 'sign-in-with-x': unsigned.header(await signer.signMessage({ message: unsigned.text })) };
      };
      return allUnknown(
        target,
        await Promise.all([
          sign('https://evil.example', BASE.chainId),
          sign(`${target.url}.evil.example`.replace(/:\d+\./, '.'), BASE.chainId),
          sign(target.url, 424_242),
          sign(target.url, BASE.chainId, other),
        ]),
      );
    },
  },
  {
    id: 'mint-for-zero-address',
    title: 'An API key for the zero address, with signatures that ecrecover cannot read',
    needs: [],
    isQuick: true,
    run: async (target) => {
      const token = await mintToken(target);
      const answers = await Promise.all(
        unreadableSignatures().map((signature) =>
          askJson(target, MINT, { address: zeroAddress, signature, token, apiKeyType: 'INFERENCE' }),
        ),
      );
      const told = answers.map(({ json: { error } }) => String(error)).join(' ');
      return judge(
        token !== '' && answers.every(({ status }) => status === 400 || status === 401) && !/staked|stake/i.test(told),
        `${counted(answers.map(({ status }) => status))}: ${told.slice(0, 200)}`,
      );
    },
  },
];

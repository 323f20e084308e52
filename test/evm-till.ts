import { createWalletClient, type Hex, http, type PrivateKeyAccount, publicActions } from 'viem';
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts';
import { onTestFinished } from 'vitest';
import { AUTHORIZABLE_USD_ABI } from '@/lib/protocol/contract-abis';
import { SANDBOX_CONTRACTS } from '@/lib/protocol/sandbox-contracts';
import { paymentsConfig, paymentsSchema } from '@/lib/server/config/payments';
import { configSchema } from '@/lib/server/config/schema';
import { Secret } from '@/lib/server/config/secret';
import { createPayments } from '@/lib/server/payments/create-payments';
import type { Payments } from '@/lib/server/payments/payments';
import { RpcNetworks } from '@/lib/server/upstreams/nodes/networks';
import type { Database } from '@/lib/server/db/schema';
import { createLog } from '@/lib/server/telemetry/log';
import type { SandboxProcess } from './sandbox-process';
import { type ScriptedNode, scriptedNode } from './scripted-node';
import { SqliteBooks } from './sqlite-books';

const NETWORK = 'base-mainnet';
const CHAIN_ID = 8453;
/** Maximum time to wait for a credit on a busy machine. */
const PATIENCE_MS = 10_000;

/** Fields of an EIP-3009 transfer that a test may change. */
export interface Draft {
  to: `0x${string}`;
  value: bigint;
  validAfter: bigint;
  validBefore: bigint;
  nonce: Hex;
}

export interface SignedDraft {
  from: `0x${string}`;
  draft: Draft;
  signature: Hex;
}

export interface TillOptions {
  rail?: Record<string, unknown>;
  payments?: Record<string, unknown>;
  answerWithinMs?: number;
  /** Called for each call to the node. Returns an answer to send in place of the node's, or undefined. */
  answer?: (method: string, params: unknown, id: number) => string | undefined;
}

/**
 * Payments of a gateway on a simulated EVM chain. The rail settles payments in this process. Tests can observe and
 * replace the node's answers.
 */
export class EvmTill {
  readonly token: `0x${string}`;

  private constructor(
    readonly sandbox: SandboxProcess,
    readonly node: ScriptedNode,
    readonly db: Database,
    readonly payments: Payments,
    readonly receiver: `0x${string}`,
    readonly settler: `0x${string}`,
    /**
     * Creates the `Payments` of another process on the same store and chain, optionally with a changed configuration.
     */
    readonly another: (change?: Record<string, unknown>) => Payments,
    token: `0x${string}`,
  ) {
    this.token = token;
  }

  /** Opens a till. The end of the test closes it. */
  static async open(
    sandbox: SandboxProcess,
    { rail = {}, payments: settings = {}, answerWithinMs = PATIENCE_MS, answer }: TillOptions = {},
  ): Promise<EvmTill> {
    const upstream = sandbox.evmUrl(NETWORK);
    const node = await scriptedNode(async ({ items, text }) => {
      const [item] = items;
      return (
        (item && answer?.(item.method, item.params, item.id)) ??
        (await fetch(upstream, { method: 'POST', headers: { 'content-type': 'application/json' }, body: text })).text()
      );
    });
    const key = generatePrivateKey();
    const receiver = privateKeyToAddress(generatePrivateKey());
    const settler = privateKeyToAddress(key);
    await sandbox.rpc(NETWORK, 'anvil_setBalance', [settler, '0x56bc75e2d63100000']);
    const base = {
      family: 'evm',
      network: `eip155:${CHAIN_ID}`,
      name: 'base',
      rpcNetwork: NETWORK,
      receiver,
      facilitator: { privateKey: key },
      confirmations: 1,
      token: { address: SANDBOX_CONTRACTS.usdc, symbol: 'USDC', decimals: 6, name: 'USD Coin', version: '2' },
      ...rail,
    };
    const configOf = (change: Record<string, unknown>) =>
      paymentsConfig(
        paymentsSchema.parse({
          rails: [{ ...base, ...change }],
          resumeIntervalMs: 3_600_000,
          answerWithinMs,
          ...settings,
        }),
      );
    const { rpc: rpcConfig } = configSchema.parse({ rpc: { healthChecks: { intervalMs: 0 } } });
    const { store } = await SqliteBooks.open();
    const another = (change: Record<string, unknown> = {}): Payments => {
      const rpc = new RpcNetworks({
        rpc: rpcConfig,
        networks: { [NETWORK]: { upstreams: [{ url: new Secret(node.url), headers: {} }], chainIdentity: false } },
      });
      const made = createPayments(configOf(change), {
        rpc,
        db: store.db,
        log: createLog('silent'),
        exclusive: false,
        closeWithinMs: 20,
      });
      onTestFinished(async () => {
        await made.close();
        await rpc.close();
      });
      return made;
    };
    return new EvmTill(
      sandbox,
      node,
      store.db,
      another(),
      receiver,
      settler,
      another,
      base.token.address as `0x${string}`,
    );
  }

  /** Returns a new account with 100 USDC. */
  async payer(): Promise<PrivateKeyAccount> {
    const account = privateKeyToAccount(generatePrivateKey());
    await this.sandbox.fund(account.address);
    return account;
  }

  /**
   * Signs an authorization, by default of 5 USDC to the receiver.
   * @param from contract wallet for which the key signs
   */
  async sign(
    account: PrivateKeyAccount,
    change: Partial<Draft> = {},
    from: `0x${string}` = account.address,
  ): Promise<SignedDraft> {
    const seconds = BigInt(Math.floor(Date.now() / 1_000));
    // Uses the chain's time, because mining blocks in advance moves this time forward.
    const { timestamp } = await this.client(account).getBlock();
    const draft = {
      to: this.receiver,
      value: 5_000_000n,
      validAfter: seconds - 600n,
      validBefore: (timestamp > seconds ? timestamp : seconds) + 600n,
      nonce: generatePrivateKey(),
      ...change,
    };
    const signature = await account.signTypedData({
      domain: { name: 'USD Coin', version: '2', chainId: CHAIN_ID, verifyingContract: this.token },
      types: {
        TransferWithAuthorization: [
          'address from',
          'address to',
          'uint256 value',
          'uint256 validAfter',
          'uint256 validBefore',
          'bytes32 nonce',
        ].map(typed),
      },
      primaryType: 'TransferWithAuthorization',
      message: { from, ...draft },
    });
    return { from, draft, signature };
  }

  client(account: PrivateKeyAccount) {
    return createWalletClient({ account, transport: http(this.sandbox.evmUrl(NETWORK)), pollingInterval: 10 }).extend(
      publicActions,
    );
  }

  /** Executes an authorization from another funded account. @returns the transaction hash */
  async execute(
    { from, draft: { to, value, validAfter, validBefore, nonce }, signature }: SignedDraft,
    by?: PrivateKeyAccount,
  ): Promise<Hex> {
    const client = this.client(by ?? (await this.payer()));
    const hash = await client.writeContract({
      chain: null,
      address: this.token,
      abi: AUTHORIZABLE_USD_ABI,
      functionName: 'transferWithAuthorization',
      args: [from, to, value, validAfter, validBefore, nonce, signature],
    });
    await client.waitForTransactionReceipt({ hash });
    return hash;
  }

  /** Returns the receiver's base units. */
  received(): Promise<bigint> {
    return this.balanceOf(this.receiver);
  }

  async balanceOf(address: `0x${string}`): Promise<bigint> {
    return this.client(privateKeyToAccount(generatePrivateKey())).readContract({
      address: this.token,
      abi: AUTHORIZABLE_USD_ABI,
      functionName: 'balanceOf',
      args: [address],
    });
  }

  mine(blocks: number): Promise<unknown> {
    return this.sandbox.rpc(NETWORK, 'anvil_mine', [`0x${blocks.toString(16)}`]);
  }

  rpc(method: string, params: readonly unknown[]): Promise<unknown> {
    return this.sandbox.rpc(NETWORK, method, params);
  }

  /** Returns the number of the settling key's mined transactions. */
  async sent(): Promise<number> {
    return Number(await this.rpc('eth_getTransactionCount', [this.settler, 'latest']));
  }

  /** Returns the credited base units of each top-up. */
  async credits(): Promise<bigint[]> {
    const rows = await this.db.selectFrom('ledger').select('amount').where('kind', '=', 'TOP_UP').execute();
    return rows.map(({ amount }) => BigInt(amount) / 1_000n);
  }
}

/** Returns the payment header of an authorization, by default in x402 v2 form. */
export function headerOf(
  { from, draft, signature }: SignedDraft,
  {
    change = {},
    v1 = false,
    asset = SANDBOX_CONTRACTS.usdc,
  }: { change?: { signature?: string } & Record<string, unknown>; v1?: boolean; asset?: string } = {},
): string {
  const { signature: signed = signature, ...fields } = change;
  const authorization = {
    from,
    to: draft.to,
    value: draft.value.toString(),
    validAfter: draft.validAfter.toString(),
    validBefore: draft.validBefore.toString(),
    nonce: draft.nonce,
    ...fields,
  };
  const payload = { signature: signed, authorization };
  const accepted = { scheme: 'exact', network: `eip155:${CHAIN_ID}`, asset, payTo: draft.to, amount: '1' };
  return Buffer.from(
    JSON.stringify(
      v1 ? { x402Version: 1, scheme: 'exact', network: 'base', payload } : { x402Version: 2, accepted, payload },
    ),
  ).toString('base64');
}

function typed(field: string): { type: string; name: string } {
  const [type = '', name = ''] = field.split(' ');
  return { type, name };
}

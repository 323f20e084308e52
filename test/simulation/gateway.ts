import { findNetwork, type Network } from '@/lib/protocol/networks';
import type { PaidCall } from '@/lib/server/billing/paid-call';
import { bytesOf, type Call, type WholeBody } from '@/lib/server/http/call';
import { RequestRecord } from '@/lib/server/http/request-record';
import { rpcService, type RpcServiceSettings } from '@/lib/server/rpc/rpc-service';
import type { AgreementSettings } from '@/lib/server/upstreams/nodes/agreement/agreement-round';
import { askNode } from '@/lib/server/upstreams/nodes/ask-node';
import { Backend } from '@/lib/server/upstreams/nodes/backend';
import { checkHealth } from '@/lib/server/upstreams/nodes/health-check';
import { headRequest, heightIn } from '@/lib/server/upstreams/nodes/head-height';
import { ImmutableCache } from '@/lib/server/upstreams/nodes/immutable-answers';
import { NodeHeads } from '@/lib/server/upstreams/nodes/node-heads';
import type { Upstream } from '@/lib/server/upstreams/nodes/upstream';
import { UpstreamNode } from '@/lib/server/upstreams/nodes/upstream-node';
import { UpstreamPool } from '@/lib/server/upstreams/nodes/upstream-pool';
import type { SimulatedNode } from './node';

export interface Asked {
  method: string;
  params: readonly unknown[];
}

export interface Answered {
  result?: unknown;
  error?: { code: number; message: string };
}

const CREDITS = 20;
const ERROR_CREDITS = 5;
const HEALTH_CHECK_MS = 5_000;
const HEAD_MS = 500;

/** RPC proxy over simulated nodes, from the parsed body to the charge, without a database. */
export class SimulatedGateway {
  readonly backend: Backend;
  /** Calls whose charge differed from their answer. */
  readonly wrongCharges: string[] = [];
  readonly #service: ReturnType<typeof rpcService>;

  /** @param agreement reads on which several nodes must agree; null for none */
  constructor(nodes: readonly SimulatedNode[], agreement: AgreementSettings | null = null) {
    const network = findNetwork('ethereum-mainnet') as Network;
    const upstreamNodes = nodes.map((simulated, index) => {
      const upstream = simulated as unknown as Upstream;
      const heads = new NodeHeads(async (commitment) =>
        heightIn(await askNode(upstream, headRequest('evm', commitment), HEAD_MS)),
      );
      return new UpstreamNode(
        `upstream ${index + 1}`,
        upstream,
        false,
        { failuresInRow: 5, openMs: 1_000, openMsMax: 30_000 },
        () => undefined,
        null,
        heads,
      );
    });
    const pool = new UpstreamPool(upstreamNodes, {
      timeoutMs: 30_000,
      attemptTimeoutMs: 10_000,
      retryShare: 0.1,
      hedging: { share: 0.1, minDelayMs: 25, maxDelayMs: 1_000 },
    });
    this.backend = new Backend(network, pool, new ImmutableCache(1_000_000), null, {
      answerBytesMax: 10_000_000,
      agreement,
    });
    const target = { network, backend: this.backend, standIn: false, priceFactorOf: () => 1 };
    const networks = { find: () => target, extraMethods: new Map() } as unknown as RpcServiceSettings['networks'];
    this.#service = rpcService({
      networks,
      pricePerCreditNanoUsd: 700,
      requestBytesMax: 1_000_000,
      log: { warn: () => undefined } as unknown as RpcServiceSettings['log'],
    });
  }

  async checkNodes(): Promise<void> {
    for (let round = 0; ; round++) {
      await checkHealth(
        this.backend,
        { timeoutMs: HEALTH_CHECK_MS, lagBlocksMax: 10, finalityDepth: 64 },
        round % 6 === 0,
        () => undefined,
      );
      await new Promise((resolve) => setTimeout(resolve, HEALTH_CHECK_MS));
    }
  }

  /** Makes one call. @returns null if it failed, which costs nothing */
  async ask(accountId: number, method: string, params: readonly unknown[]): Promise<Answered | null> {
    const answers = await this.#answer(accountId, { jsonrpc: '2.0', id: 0, method, params });
    return answers && (answers[0] as Answered);
  }

  /** Makes a batch call. @returns null if it failed */
  askTogether(accountId: number, items: readonly Asked[]): Promise<Answered[] | null> {
    return this.#answer(
      accountId,
      items.map((item, id) => ({ jsonrpc: '2.0', id, ...item })),
    );
  }

  async #answer(accountId: number, body: object): Promise<Answered[] | null> {
    const charges: number[] = [];
    const header = (name: string): string | null => (name === 'content-type' ? 'application/json' : null);
    const call = {
      params: { network: 'ethereum-mainnet' },
      requestId: '',
      record: new RequestRecord({ header }),
      whenGone: () => () => undefined,
      header,
    } as unknown as Call;
    const paid = {
      call,
      caller: { accountId },
      isKept: false,
      readBody: () => Buffer.from(JSON.stringify(body)),
      settle: ({ credits }: { credits: number }) => {
        charges.push(credits);
        return Promise.resolve({});
      },
      replayOf: () => null,
      settledHeaders: () => ({}),
    } as unknown as PaidCall;
    const reply = await this.#service
      .fulfil(paid, await this.#service.validate(paid))
      .catch((failure: unknown) => failure as Error);
    if (reply instanceof Error) {
      if (charges.length > 0) this.wrongCharges.push(`a failed call was charged ${charges.join(', ')}`);
      return null;
    }
    const answers = [
      JSON.parse(Buffer.from(bytesOf(reply.body as WholeBody)).toString()) as Answered | Answered[],
    ].flat();
    const due = answers.reduce((sum, { error }) => sum + (error ? ERROR_CREDITS : CREDITS), 0);
    if (charges.length !== 1 || charges[0] !== due)
      this.wrongCharges.push(`${due} credits were due, charged were ${charges.join(', ') || 'none'}`);
    return answers;
  }
}

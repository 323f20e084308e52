import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createKeyPairSignerFromPrivateKeyBytes } from '@solana/kit';
import type { PaymentPayload, PaymentRequirements, SettleResponse } from '@x402/core/types';
import { toFacilitatorEvmSigner } from '@x402/evm';
import { ExactEvmScheme } from '@x402/evm/exact/facilitator';
import { toFacilitatorSvmSigner } from '@x402/svm';
import { ExactSvmScheme } from '@x402/svm/exact/facilitator';
import { createWalletClient, http, publicActions } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { base } from 'viem/chains';
import { stageKeys } from './stage-gateway';

/** How a facilitator may handle a payment that it should settle. */
export const LIES = [
  'honest',
  'pays and says failure',
  'says success and does not pay, until it is asked again',
  'says failure and pays later',
  'pays twice and tells of the second',
  'pays and never answers',
  'answers 500, until it is asked again',
  'pays and names a transaction of somebody else',
  'never pays and says success',
] as const;
export type Lie = (typeof LIES)[number];

const UNASKED_MS = 60_000;

/**
 * x402 facilitator for tests. It settles on the stand-in chains by the official schemes, and lies about this in the
 * chosen way. On Solana, its fee payer is the gateway's key, which other shops use too.
 */
export class LyingFacilitator {
  readonly #server: Server;
  readonly #asked = new Map<string, number>();
  readonly #late = new Set<Promise<unknown>>();
  /** Sends one transaction at a time, because the nonces of a key are consecutive. */
  #turn: Promise<unknown> = Promise.resolve();
  #lastTransaction: Record<string, string> = {};
  sandboxUrl = '';

  private constructor(
    private readonly key: `0x${string}`,
    /** Returns the lie for a payment. */
    private readonly lieOf: (payload: PaymentPayload) => Lie,
  ) {
    this.#server = createServer(
      (request, response) =>
        void this.#serve(request, response).catch((error: unknown) => answer(response, 500, { error: String(error) })),
    );
  }

  static async start(sandboxUrl: string, lieOf: (payload: PaymentPayload) => Lie): Promise<LyingFacilitator> {
    const facilitator = new LyingFacilitator(generatePrivateKey(), lieOf);
    facilitator.sandboxUrl = sandboxUrl;
    const address = privateKeyToAccount(facilitator.key).address;
    await fetch(`${sandboxUrl}/faucet`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ address }),
    });
    await new Promise<void>((resolve) => facilitator.#server.listen(0, '127.0.0.1', resolve));
    return facilitator;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Resolves when all delayed payments have been made. */
  async idle(): Promise<void> {
    while (this.#late.size > 0) await Promise.allSettled(this.#late);
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** Executes a payment, as another shop with the same facilitator would. Never throws. */
  execute(payload: PaymentPayload, requirements: PaymentRequirements): Promise<SettleResponse> {
    const executed = this.#turn.then(() => this.#settle(payload, requirements));
    this.#turn = executed.catch(() => undefined);
    return executed.catch((error: unknown) => ({
      success: false,
      errorReason: String(error),
      transaction: '',
      network: requirements.network,
    }));
  }

  async #settle(payload: PaymentPayload, requirements: PaymentRequirements): Promise<SettleResponse> {
    const said = await (requirements.network.startsWith('solana:') ? await this.#solana() : this.#evm()).settle(
      payload,
      requirements,
    );
    if (said.success) this.#lastTransaction[requirements.network] = said.transaction;
    return said;
  }

  #evm(): ExactEvmScheme {
    const account = privateKeyToAccount(this.key);
    const client = createWalletClient({
      account,
      chain: base,
      transport: http(`${this.sandboxUrl}/evm/base-mainnet`),
      pollingInterval: 20,
    }).extend(publicActions);
    return new ExactEvmScheme(
      toFacilitatorEvmSigner({ ...client, address: account.address } as unknown as Parameters<
        typeof toFacilitatorEvmSigner
      >[0]),
    );
  }

  async #solana(): Promise<ExactSvmScheme> {
    const signer = await createKeyPairSignerFromPrivateKeyBytes(stageKeys('payments solana facilitator'));
    return new ExactSvmScheme(
      toFacilitatorSvmSigner(signer, { defaultRpcUrl: `${this.sandboxUrl}/solana/solana-mainnet` }),
    );
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url === '/supported') {
      const { address } = await createKeyPairSignerFromPrivateKeyBytes(stageKeys('payments solana facilitator'));
      return answer(response, 200, {
        kinds: [
          {
            x402Version: 2,
            scheme: 'exact',
            network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
            extra: { feePayer: address },
          },
        ],
      });
    }
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const { paymentPayload, paymentRequirements } = JSON.parse(text) as {
      paymentPayload: PaymentPayload;
      paymentRequirements: PaymentRequirements;
    };
    await this.#lie(response, paymentPayload, paymentRequirements);
  }

  async #lie(response: ServerResponse, payload: PaymentPayload, requirements: PaymentRequirements): Promise<void> {
    const name = JSON.stringify(payload.payload);
    const times = (this.#asked.get(name) ?? 0) + 1;
    this.#asked.set(name, times);
    const { network } = requirements;
    const lie = this.lieOf(payload);
    const failure = { success: false, errorReason: 'transaction_failed', transaction: '', network };
    const success = { success: true, transaction: unused(network), network };
    if (lie === 'never pays and says success') return answer(response, 200, success);
    if (times === 1 && lie === 'says success and does not pay, until it is asked again')
      return answer(response, 200, success);
    if (times === 1 && lie === 'answers 500, until it is asked again') return answer(response, 500, { error: 'down' });
    if (lie === 'says failure and pays later') {
      this.#later(sleep(500 + Math.random() * 2_500).then(() => this.execute(payload, requirements)));
      return answer(response, 400, failure);
    }
    const before = this.#lastTransaction[network];
    const said = await this.execute(payload, requirements);
    if (lie === 'pays and never answers')
      return this.#later(
        sleep(UNASKED_MS, undefined, { ref: false }).then(() => response.destroy()),
        false,
      );
    if (lie === 'pays and says failure') return answer(response, 200, failure);
    if (lie === 'pays twice and tells of the second')
      return answer(response, 200, await this.execute(payload, requirements));
    if (lie === 'pays and names a transaction of somebody else')
      return answer(response, 200, { ...said, transaction: before ?? said.transaction });
    return answer(response, said.success ? 200 : 400, said);
  }

  #later(done: Promise<unknown>, counts = true): void {
    if (!counts) return void done;
    this.#late.add(done);
    void done.finally(() => this.#late.delete(done));
  }
}

/** Returns a transaction id that does not exist. */
function unused(network: string): string {
  return network.startsWith('eip155:') ? generatePrivateKey() : '5'.repeat(88);
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

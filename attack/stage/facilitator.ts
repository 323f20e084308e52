import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ed25519 } from '@noble/curves/ed25519.js';
import type { PrivateKeyAccount } from 'viem';
import { BASE, type Chains, SOLANA, TESTNET } from '../chains/chains';
import { type AuthorizationMessage, executeAuthorization } from '../chains/evm-account';
import { countersigned, newSolanaAccount, sendSolana, type SolanaAccount } from '../chains/solana-account';
import type { PaymentJson } from '../wire/payment-json';

/** Answer to a settlement request (x402 v2, "Facilitator interface"). */
interface SettleAnswer {
  status?: number;
  headers?: Record<string, string>;
  body: unknown;
}

type Settle = (payment: PaymentJson) => Promise<SettleAnswer>;

/**
 * x402 facilitator of this program, which several shops could share. Pays fees with its own keys. Settles honestly
 * unless an attack sets `settle`.
 */
export class Facilitator {
  /** Handles a settlement; honest by default. */
  settle: Settle = (payment) => this.honest(payment);
  readonly asked: PaymentJson[] = [];
  url = '';
  #server = createServer((request, response) => void this.#answer(request, response));

  private constructor(
    private readonly chains: Chains,
    readonly evm: PrivateKeyAccount,
    readonly solana: SolanaAccount,
  ) {}

  /** @param evm account that pays gas @param seed seed of the key that pays fees on Solana */
  static async start(chains: Chains, evm: PrivateKeyAccount, seed: Uint8Array): Promise<Facilitator> {
    const facilitator = new Facilitator(chains, evm, await newSolanaAccount(seed));
    await Promise.all([chains.fund(evm.address), chains.fund(facilitator.solana.address)]);
    await new Promise<void>((resolve) => facilitator.#server.listen(0, '127.0.0.1', resolve));
    facilitator.url = `http://127.0.0.1:${(facilitator.#server.address() as AddressInfo).port}`;
    return facilitator;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Settles a payment on chain. @returns the transaction @throws Error if it fails */
  async execute({ accepted, payload }: PaymentJson): Promise<string> {
    if (payload.transaction) return sendSolana(this.chains, countersigned(payload.transaction, this.solana.seed));
    const { from, to, value, validAfter, validBefore, nonce } = payload.authorization as Record<string, `0x${string}`>;
    const message = {
      from,
      to,
      nonce,
      value: BigInt(value ?? 0),
      validAfter: BigInt(validAfter ?? 0),
      validBefore: BigInt(validBefore ?? 0),
    } as AuthorizationMessage;
    return executeAuthorization(
      this.chains,
      this.evm,
      message,
      payload.signature as `0x${string}`,
      accepted.network === TESTNET.caip2 ? TESTNET.slug : BASE.slug,
    );
  }

  /** Settles a payment and reports the true result. */
  async honest(payment: PaymentJson): Promise<SettleAnswer> {
    try {
      return { body: { success: true, transaction: await this.execute(payment), network: payment.accepted.network } };
    } catch (error) {
      return {
        body: {
          success: false,
          errorReason: 'settlement_failed',
          errorMessage: String(error).slice(0, 300),
          transaction: '',
          network: payment.accepted.network,
        },
      };
    }
  }

  /** Settles with `settle` while `run` runs an attack. */
  async behaving<Result>(settle: Settle, run: () => Promise<Result>): Promise<Result> {
    this.settle = settle;
    try {
      return await run();
    } finally {
      this.settle = (payment) => this.honest(payment);
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const {
      status = 200,
      headers = {},
      body,
    } = request.url === '/supported'
      ? { body: this.#supported() }
      : await this.#do(request.url ?? '', Buffer.concat(chunks).toString('utf8'));
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  }

  #supported(): unknown {
    const kind = (network: string, extra?: object) => ({
      x402Version: 2,
      scheme: 'exact',
      network,
      ...(extra && { extra }),
    });
    const kinds = [kind(BASE.caip2), kind(TESTNET.caip2), kind(SOLANA.caip2, { feePayer: this.solana.address })];
    return { kinds, extensions: [], signers: { 'eip155:*': [this.evm.address], 'solana:*': [this.solana.address] } };
  }

  async #do(path: string, text: string): Promise<SettleAnswer> {
    const payment = (JSON.parse(text) as { paymentPayload: PaymentJson }).paymentPayload;
    if (path === '/verify') return { body: { isValid: true } };
    if (path !== '/settle') return { status: 404, body: {} };
    this.asked.push(payment);
    return this.settle(payment);
  }
}

export function solanaPublicKey(seed: Uint8Array): Uint8Array {
  return ed25519.getPublicKey(seed);
}

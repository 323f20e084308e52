import type { Caip2, PaymentRequirements } from '@/lib/protocol/x402/payment-required';
import { UpstreamFailed } from '../../upstreams/models/upstream-error';
import type { PaymentPayload, SettleResponse } from '@x402/core/types';
import { SignJWT } from 'jose';
import { createPrivateKey, type KeyObject, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { FacilitatorConfig } from '../../config/payments';
import type { Secret } from '../../config/secret';
import { collectAnswer } from '../../upstreams/collected-answer';
import type { UpstreamAnswer } from '../../upstreams/models/model-exchange';
import type { Facilitator } from '../rail';

const LIFETIME_SECONDS = 120;
/** PKCS #8 prefix of an Ed25519 key (RFC 8410). */
const ED25519_PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * Creates a token for one request to the Coinbase Developer Platform (CDP documentation, "API key authentication"). It
 * is a JWT, signed with the API key and valid for two minutes. Its `uris` contain the method, host and path.
 *
 * @throws Error if the secret is neither an Ed25519 key in base64 nor an EC key in PEM
 */
export async function cdpToken({
  id,
  secret,
  method,
  url,
}: {
  id: string;
  secret: Secret;
  method: string;
  url: URL;
}): Promise<string> {
  const key = signingKey(secret.reveal());
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({ sub: id, iss: 'cdp', uris: [`${method} ${url.host}${url.pathname}`] })
    .setProtectedHeader({
      alg: key.asymmetricKeyType === 'ed25519' ? 'EdDSA' : 'ES256',
      kid: id,
      typ: 'JWT',
      nonce: randomBytes(16).toString('hex'),
    })
    .setIssuedAt(now)
    .setNotBefore(now)
    .setExpirationTime(now + LIFETIME_SECONDS)
    .sign(key);
}

function signingKey(secret: string): KeyObject {
  if (secret.includes('-----BEGIN')) return createPrivateKey(secret.replaceAll('\\n', '\n'));
  // The 64 bytes are the seed, then the public key.
  const bytes = Buffer.from(secret, 'base64');
  if (bytes.length !== 64) throw new Error('The secret of the CDP API key must be base64 of 64 bytes, or a PEM.');
  return createPrivateKey({
    key: Buffer.concat([ED25519_PKCS8_PREFIX, bytes.subarray(0, 32)]),
    format: 'der',
    type: 'pkcs8',
  });
}

type RemoteConfig = Extract<FacilitatorConfig, { kind: 'remote' }>;

const ANSWER_BYTES_MAX = 256 * 1024;
const X402_VERSION = 2;

const shortText = z.string().max(2_000).nullish();
const settleSchema = z.object({
  success: z.boolean(),
  errorReason: shortText,
  errorMessage: shortText,
  payer: shortText,
  transaction: z.string().max(200).nullish(),
});
const supportedSchema = z.object({
  kinds: z
    .array(
      z.object({
        x402Version: z.number(),
        scheme: z.string(),
        network: z.string(),
        extra: z.record(z.string(), z.unknown()).nullish(),
      }),
    )
    .max(1_000),
  signers: z.record(z.string(), z.array(z.string().max(100)).max(1_000)).nullish(),
});

/** Error for a failed request to the facilitator. Does not include the request's headers. */
class FacilitatorFailed extends Error {
  override readonly name = 'FacilitatorFailed';
}

/**
 * Remote facilitator (x402 v2, "Facilitator interface"). Follows no redirects, and limits the size and the time of each
 * answer.
 */
export class RemoteFacilitator implements Facilitator {
  constructor(private readonly config: RemoteConfig) {}

  async settle(paymentPayload: PaymentPayload, paymentRequirements: PaymentRequirements): Promise<SettleResponse> {
    const { answer } = await this.#ask('POST', '/settle', {
      x402Version: X402_VERSION,
      paymentPayload,
      paymentRequirements,
    });
    const said = settleSchema.safeParse(answer);
    if (!said.success) throw new FacilitatorFailed('The answer of the facilitator is not a settlement.');
    const { success, errorReason, errorMessage, transaction } = said.data;
    return {
      success,
      transaction: transaction ?? '',
      network: paymentRequirements.network,
      ...(errorReason ? { errorReason } : {}),
      ...(errorMessage ? { errorMessage } : {}),
    };
  }

  /**
   * Returns a network's `extra`, such as Solana's fee payer, and the addresses with which the facilitator may sign.
   * @throws FacilitatorFailed
   */
  async supportOf(network: Caip2): Promise<{ extra: Record<string, unknown>; signers: string[] }> {
    const { answer } = await this.#ask('GET', '/supported', null);
    const said = supportedSchema.safeParse(answer);
    if (!said.success) throw new FacilitatorFailed('The facilitator does not say what it supports.');
    const kind = said.data.kinds.find(
      (each) => each.x402Version === X402_VERSION && each.scheme === 'exact' && each.network === network,
    );
    if (!kind) throw new FacilitatorFailed(`The facilitator does not support ${network}.`);
    const [family] = network.split(':');
    const { signers } = said.data;
    return {
      extra: kind.extra ?? {},
      signers: [`${family}:*`, network].flatMap((pattern) => signers?.[pattern] ?? []),
    };
  }

  async #ask(method: 'GET' | 'POST', path: string, body: unknown): Promise<{ answer: unknown }> {
    const { url, timeoutMs } = this.config;
    let answer: UpstreamAnswer;
    try {
      const headers = {
        accept: 'application/json',
        ...(body === null ? {} : { 'content-type': 'application/json' }),
        ...(await this.#credentials(method, path)),
      };
      answer = await collectAnswer(
        { url: url + path, method, headers, ...(body === null ? {} : { body: JSON.stringify(body) }) },
        { timeoutMs, bytesMax: ANSWER_BYTES_MAX },
      );
    } catch (error) {
      throw new FacilitatorFailed(`The facilitator did not answer: ${reasonOf(error)}.`);
    }
    return { answer: readAnswer(answer) };
  }

  async #credentials(method: string, path: string): Promise<Record<string, string>> {
    const { url, headers, cdpApiKey } = this.config;
    const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.reveal()]));
    if (!cdpApiKey) return given;
    return { ...given, authorization: `Bearer ${await cdpToken({ ...cdpApiKey, method, url: new URL(url + path) })}` };
  }
}

function readAnswer({ status, body }: UpstreamAnswer): unknown {
  if (status >= 300 && status < 400)
    throw new FacilitatorFailed('The facilitator answered with a redirect, which is not followed.');
  const isOk = status >= 200 && status < 300;
  try {
    // If a settlement is refused, the answer has an error status and a regular body.
    const answer: unknown = JSON.parse(body.toString('utf8'));
    if (isOk || (typeof answer === 'object' && answer !== null && 'success' in answer)) return answer;
  } catch {
    if (isOk) throw new FacilitatorFailed('The answer of the facilitator is not JSON.');
  }
  throw new FacilitatorFailed(`The facilitator answered with status ${status}.`);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof UpstreamFailed)) return error instanceof Error ? error.message : 'an unknown fault';
  if (error.reason === 'timeout') return 'it took too long';
  if (error.reason === 'too-long') return 'its answer is too long';
  return error.cause instanceof Error ? error.cause.message : 'the connection failed';
}

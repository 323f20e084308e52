import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { type LookupAddress, lookup as lookUp } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, request } from 'undici';
import type { Secret } from '../../config/secret';
import type { WebhooksConfig } from '../../config/webhooks';
import { isPublicAddress } from './public-address';

const TIMEOUT_MS = 10_000;
const ANSWER_BYTES_MAX = 4_096;
const SECRET_BYTES = 32;
export const WEBHOOK_URL_LENGTH_MAX = 2_000;

/** What is told, and as which message: the same id each time it is tried, so that the receiver can tell it from another. */
export interface WebhookMessage {
  id: string;
  body: string;
}

/** A receiver that did not take a message, in a sentence that its owner may see. */
export class WebhookFailed extends Error {
  override readonly name = 'WebhookFailed';
}

/** Why a message cannot be sent to such an address; null where it can. What a name resolves to is looked at when it is sent. */
export function webhookFault(url: string, { enabled, allowPrivateAddresses }: WebhooksConfig): string | null {
  if (!enabled) return 'This gateway sends no webhooks';
  if (url.length > WEBHOOK_URL_LENGTH_MAX) return `Has more than ${WEBHOOK_URL_LENGTH_MAX} characters`;
  if (!URL.canParse(url)) return 'Must be an https:// URL';
  const { protocol, username, password, hostname } = new URL(url);
  if (protocol !== 'https:' && !(allowPrivateAddresses && protocol === 'http:')) return 'Must be an https:// URL';
  if (username || password) return 'Must not have a user name or a password: messages are signed instead';
  const address = hostname.replace(/^\[|\]$/g, '');
  if (!allowPrivateAddresses && isIP(address) && !isPublicAddress(address))
    return 'Must be an address of the public internet';
  return null;
}

/**
 * Sends messages to addresses that strangers gave, signed as Standard Webhooks (v1, HMAC-SHA-256) has it. Unless the
 * operator allows it, no connection is made to an address that is not public, whatever its name resolves to at that moment,
 * and redirects are not followed.
 */
export class WebhookSender {
  /** Of today first, then of before it. */
  readonly #materials: readonly [string | Buffer, ...string[]];
  readonly #agent: Agent;

  /**
   * @param secret the operator's, of which each key's own is derived; where there is none, they hold in this process alone.
   * @param previous the one before it: messages are signed with it too, for receivers that know no other yet.
   */
  constructor(
    secret: Secret | null,
    private readonly config: WebhooksConfig,
    previous: Secret | null = null,
  ) {
    this.#materials = [secret?.reveal() ?? randomBytes(SECRET_BYTES), ...(previous ? [previous.reveal()] : [])];
    const lookup = config.allowPrivateAddresses ? {} : { lookup: lookUpPublic };
    this.#agent = new Agent({
      connect: { timeout: TIMEOUT_MS, ...lookup },
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
      pipelining: 0,
    });
  }

  /** What the receiver of a key's messages checks them with, for its owner alone: of today's secret, whatever else is signed with. */
  secretOf(keyId: number): string {
    return `whsec_${keyOf(this.#materials[0], keyId).toString('base64')}`;
  }

  /** Resolves once the receiver has taken it: any 2xx. @throws WebhookFailed */
  async send(keyId: number, url: string, { id, body }: WebhookMessage, now: number): Promise<void> {
    const fault = webhookFault(url, this.config);
    if (fault !== null) throw new WebhookFailed(`The webhook was not called. ${fault}.`);
    const timestamp = String(Math.floor(now / 1000));
    const signed = `${id}.${timestamp}.${body}`;
    // Standard Webhooks: several signatures of one message, with spaces between; one that fits is enough.
    const signatures = this.#materials.map(
      (material) => `v1,${createHmac('sha256', keyOf(material, keyId)).update(signed).digest('base64')}`,
    );
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Turnpike',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': signatures.join(' '),
    };
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    let status: number;
    try {
      const answer = await request(url, { method: 'POST', headers, body, dispatcher: this.#agent, signal });
      status = answer.statusCode;
      await answer.body.dump({ limit: ANSWER_BYTES_MAX, signal });
    } catch (error) {
      if (error instanceof WebhookFailed) throw error;
      throw new WebhookFailed(
        signal.aborted ? 'The webhook did not answer within 10 seconds.' : 'The webhook cannot be reached.',
        { cause: error },
      );
    }
    if (status < 200 || status > 299) throw new WebhookFailed(`The webhook answered with status ${status}.`);
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }
}

function keyOf(material: string | Buffer, keyId: number): Buffer {
  return Buffer.from(hkdfSync('sha256', material, '', `turnpike webhook ${keyId}`, SECRET_BYTES));
}

/** As the system resolves names, unless one of the addresses is not public: a name has all of its addresses from whoever owns it. */
const lookUpPublic: LookupFunction = (hostname, options, callback) => {
  lookUp(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    if (error) return callback(error, '', 0);
    const [first] = addresses;
    if (!first || !addresses.every(({ address }) => isPublicAddress(address)))
      return callback(
        new WebhookFailed('The webhook was not called: its name leads to no address of the public internet.'),
        '',
        0,
      );
    if (options.all) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};

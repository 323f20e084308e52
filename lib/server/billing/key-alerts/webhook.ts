import { DEFAULT_BRAND } from '@/lib/protocol/brand';
import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { lookup as lookUp, type LookupAddress } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { Agent, request } from 'undici';
import type { Secret } from '../../config/secret';
import type { WebhooksConfig } from '../../config/webhooks';

const TIMEOUT_MS = 10_000;
const ANSWER_BYTES_MAX = 4_096;
const SECRET_BYTES = 32;
const WEBHOOK_URL_LENGTH_MAX = 2_000;

/** Webhook message. Retries repeat its id. */
export interface WebhookMessage {
  id: string;
  body: string;
}

/** Thrown if a delivery fails. The key's owner may see the message. */
export class WebhookFailed extends Error {
  override readonly name = 'WebhookFailed';
}

/** Returns why a URL is not allowed; null if it is allowed. Does not resolve the host name; `WebhookSender` does. */
export function webhookFault(url: string, { enabled, allowPrivateAddresses }: WebhooksConfig): string | null {
  if (!enabled) return 'Webhooks are not enabled on this gateway';
  if (url.length > WEBHOOK_URL_LENGTH_MAX) return `Has more than ${WEBHOOK_URL_LENGTH_MAX} characters`;
  if (!URL.canParse(url)) return 'Must be an https:// URL';
  const { protocol, username, password, hostname } = new URL(url);
  if (protocol !== 'https:' && !(allowPrivateAddresses && protocol === 'http:')) return 'Must be an https:// URL';
  if (username || password) return 'Must not contain a user name or password: messages are signed instead';
  const address = hostname.replace(/^\[|\]$/g, '');
  if (!allowPrivateAddresses && isIP(address) && !isPublicAddress(address))
    return 'Must be a host on the public internet';
  return null;
}

/**
 * Sends signed messages to untrusted URLs (Standard Webhooks v1, HMAC-SHA-256). Checks the resolved address at each
 * connection. Unless the operator allows private addresses, connects only to public ones. Follows no redirects.
 */
export class WebhookSender {
  /** Current signing secret, then the previous one. */
  readonly #materials: readonly [string | Buffer, ...string[]];
  readonly #agent: Agent;

  /**
   * @param secret the operator's secret, from which each API key's signing secret derives; null for a random secret
   * @param previous the previous secret, which also signs, for receivers that do not know the new secret yet
   * @param agentName the gateway's name, sent as User-Agent
   */
  constructor(
    secret: Secret | null,
    private readonly config: WebhooksConfig,
    previous: Secret | null = null,
    private readonly agentName = DEFAULT_BRAND.name,
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

  /** Returns the secret with which a receiver verifies a key's messages. Only the key's owner may see this secret. */
  secretOf(keyId: number): string {
    return `whsec_${keyOf(this.#materials[0], keyId).toString('base64')}`;
  }

  /** Sends a message. Resolves on any 2xx status. @throws WebhookFailed */
  async send(keyId: number, url: string, { id, body }: WebhookMessage, now: number): Promise<void> {
    const fault = webhookFault(url, this.config);
    if (fault !== null) throw new WebhookFailed(`The webhook was not called. ${fault}.`);
    const timestamp = String(Math.floor(now / 1000));
    const signed = `${id}.${timestamp}.${body}`;
    // Standard Webhooks: space-separated signatures, one of which must match.
    const signatures = this.#materials.map(
      (material) => `v1,${createHmac('sha256', keyOf(material, keyId)).update(signed).digest('base64')}`,
    );
    const headers = {
      'content-type': 'application/json',
      'user-agent': this.agentName,
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

/**
 * Resolves a host name. Fails if any of its addresses is not public, because the owner of the name chooses all its
 * addresses.
 */
const lookUpPublic: LookupFunction = (hostname, options, callback) => {
  lookUp(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    if (error) return callback(error, '', 0);
    const [first] = addresses;
    if (!first || !addresses.every(({ address }) => isPublicAddress(address)))
      return callback(
        new WebhookFailed('The webhook was not called: the host name has no address on the public internet.'),
        '',
        0,
      );
    if (options.all) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};

/** Networks that are not public, from IANA's special-purpose registries (RFC 6890). */
const SPECIAL: readonly (readonly [network: string, prefix: number, family: 'ipv4' | 'ipv6'])[] = [
  ['0.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.0.0.0', 24, 'ipv4'],
  ['192.0.2.0', 24, 'ipv4'],
  ['192.88.99.0', 24, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['198.18.0.0', 15, 'ipv4'],
  ['198.51.100.0', 24, 'ipv4'],
  ['203.0.113.0', 24, 'ipv4'],
  ['224.0.0.0', 3, 'ipv4'],
  // IPv6: first everything outside global unicast (2000::/3). Then the ranges within global unicast that are for
  // protocols, for documentation or for addresses with an embedded IPv4 address.
  ['::', 3, 'ipv6'],
  ['4000::', 2, 'ipv6'],
  ['8000::', 1, 'ipv6'],
  ['2001::', 23, 'ipv6'],
  ['2001:db8::', 32, 'ipv6'],
  ['2002::', 16, 'ipv6'],
  ['3fff::', 20, 'ipv6'],
];

const special = { ipv4: new BlockList(), ipv6: new BlockList() };
for (const [network, prefix, family] of SPECIAL) special[family].addSubnet(network, prefix, family);

/** Returns whether an IP address is public. An IPv4-mapped IPv6 address is not public. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  const family = version === 4 ? 'ipv4' : 'ipv6';
  return version !== 0 && !special[family].check(address, family);
}

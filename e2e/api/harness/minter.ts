import { expect } from 'vitest';
import type { GatewayUnderTest } from './gateway-under-test';
import type { Answer } from './http-exchange';
import type { Staker } from './staker';

const MINT = '/api/v1/api_keys/generate_web3_key';

/** Fields of a created key that tests read. */
export interface Minted {
  apiKey: string;
  id: string;
}

/** Creates keys over HTTP. */
export class Minter {
  constructor(private readonly gateway: GatewayUnderTest) {}

  async freshToken(): Promise<string> {
    const answer = await this.gateway.ask({ method: 'GET', path: MINT });
    expect(answer.status).toBe(200);
    return (answer.json as { data: { token: string } }).data.token;
  }

  /** Returns a body signed by a wallet, by default for an INFERENCE key. */
  async claimOf({ account }: Staker, extra: object = {}): Promise<Record<string, unknown>> {
    const token = await this.freshToken();
    return {
      address: account.address,
      signature: await account.signMessage({ message: token }),
      token,
      apiKeyType: 'INFERENCE',
      ...extra,
    };
  }

  post(body: unknown): Promise<Answer> {
    return this.gateway.ask({
      method: 'POST',
      path: MINT,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  }

  /** Creates a key, and expects this to succeed. */
  async mint(staker: Staker, extra: object = {}): Promise<Minted> {
    const answer = await this.post(await this.claimOf(staker, extra));
    expect(answer.status, answer.text).toBe(200);
    return (answer.json as { data: Minted }).data;
  }

  /** Returns the account of a key from the operator's list. */
  async accountOf(key: string): Promise<number> {
    const { keys } = await this.gateway.operator.run<{ keys: { accountId: number; last6: string }[] }>('keys list');
    return keys.find(({ last6 }) => last6 === key.slice(-6))?.accountId as number;
  }
}

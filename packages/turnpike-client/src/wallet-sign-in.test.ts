import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { createTurnpike, type TurnpikeOptions } from './turnpike';

const KEY = `0x${'7'.repeat(64)}` as const;

/** Asks for the balance, and returns the sign-in message that the gateway received. */
async function signedBy(options: Partial<TurnpikeOptions>): Promise<string> {
  let header = '';
  const gateway: typeof fetch = (_input, init) => {
    header = new Headers(init?.headers).get('sign-in-with-x') ?? '';
    return Promise.resolve(Response.json({ error: 'No' }, { status: 403 }));
  };
  const customer = createTurnpike({
    url: 'https://gateway.example',
    account: privateKeyToAccount(KEY),
    fetch: gateway,
    ...options,
  });
  await customer.fetch('/api/v1/models').catch(() => undefined);
  return (JSON.parse(Buffer.from(header, 'base64').toString()) as { message: string }).message;
}

describe('the sign-in of a wallet', () => {
  it('has the statement that the program chose', async () => {
    expect(await signedBy({})).toContain('\n\nSign in to Turnpike\n\n');
    expect(await signedBy({ signInStatement: 'Welcome to Acme.' })).toContain('\n\nWelcome to Acme.\n\n');
  });

  it.each(['', 'two\nlines', '<b>', 'x'.repeat(201), 7 as unknown as string])(
    'is refused at the start with the statement %j',
    (signInStatement) =>
      expect(() =>
        createTurnpike({ url: 'https://gateway.example', account: privateKeyToAccount(KEY), signInStatement }),
      ).toThrow(expect.objectContaining({ code: 'OPTION_INVALID' })),
  );
});

import { createConfig, http, injected } from 'wagmi';
import { mainnet } from 'wagmi/chains';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DEMO_WALLET_RDNS } from './demo/demo-evm-provider';
import { ignoreMalformedAnnouncements, isAnnouncement, presentWallets } from './wallet-announcement';

const provider = { request: () => Promise.resolve(null) };
const info = (rdns: string) => ({ uuid: `uuid of ${rdns}`, name: `Wallet ${rdns}`, icon: 'data:image/svg+xml,', rdns });
const { icon: _, ...withoutIcon } = info('org.example.plain');

const MALFORMED: readonly [string, unknown][] = [
  ['nothing', null],
  ['a text', 'wallet'],
  ['no info', { provider }],
  ['null info', { info: null, provider }],
  ...(['uuid', 'name', 'rdns'] as const).flatMap((member): [string, unknown][] =>
    [undefined, null, 7, '', ' '].map((value) => [
      `the ${member} ${JSON.stringify(value)}`,
      { info: { ...info('org.example.bad'), [member]: value }, provider },
    ]),
  ),
  ['an icon that is no text', { info: { ...info('org.example.bad'), icon: {} }, provider }],
  ['no provider', { info: info('org.example.bad') }],
  ['a null provider', { info: info('org.example.bad'), provider: null }],
  ['a provider that takes no requests', { info: info('org.example.bad'), provider: {} }],
  [
    'a member that throws',
    {
      info: {
        ...info('org.example.bad'),
        get name(): string {
          throw new Error('gone');
        },
      },
      provider,
    },
  ],
];

describe('an announcement of a wallet', () => {
  it.each(MALFORMED)('is malformed with %s', (_what, detail) => expect(isAnnouncement(detail)).toBe(false));

  it.each([info('org.example.whole'), withoutIcon, { ...withoutIcon, icon: null }])('is taken as %j', (each) =>
    expect(isAnnouncement({ info: each, provider })).toBe(true),
  );
});

describe('wallets of the browser', () => {
  beforeEach(() => vi.stubGlobal('window', new EventTarget()));
  afterEach(() => vi.unstubAllGlobals());

  const announce = (detail: unknown) => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
  /** Returns the wallets that the dialog lists after these announcements, with wagmi configured as in the console. */
  const listedAfter = (details: readonly unknown[]) => {
    ignoreMalformedAnnouncements();
    const config = createConfig({
      chains: [mainnet],
      transports: { [mainnet.id]: http() },
      connectors: [injected()],
      storage: null,
    });
    details.forEach(announce);
    return presentWallets(config.connectors, true).map(({ id }) => id);
  };

  it.each(MALFORMED)('are all listed beside one that announces itself with %s', (_what, detail) => {
    const whole = ['org.example.one', 'org.example.two', DEMO_WALLET_RDNS].map((rdns) => ({
      info: info(rdns),
      provider,
    }));
    expect(listedAfter([detail, ...whole])).toEqual(['org.example.one', 'org.example.two', DEMO_WALLET_RDNS]);
  });

  it('are listed without an icon too, before the demo wallet', () => {
    expect(
      listedAfter([
        { info: info(DEMO_WALLET_RDNS), provider },
        { info: withoutIcon, provider },
      ]),
    ).toEqual(['org.example.plain', DEMO_WALLET_RDNS]);
  });

  it('are the one without a name, where only the demo wallet announces itself', () => {
    expect(listedAfter([{ info: info(DEMO_WALLET_RDNS), provider }])).toEqual(['injected', DEMO_WALLET_RDNS]);
  });
});

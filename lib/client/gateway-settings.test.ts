import { describe, expect, it } from 'vitest';
import { readGatewaySettings } from './gateway-settings';

const ADDRESS = `0x${'1'.repeat(40)}`;
const DEPLOYMENT = {
  network: 'sandbox-testnet',
  chainId: 31337,
  rpcUrl: 'http://h/rpc',
  primary: true,
  stakeToken: ADDRESS,
  staking: ADDRESS,
  dailyCreditToken: ADDRESS,
  dailyCreditPool: ADDRESS,
  usdc: ADDRESS,
};

const RAIL = {
  network: 'eip155:8453',
  name: 'base',
  title: 'Base',
  rpcNetwork: 'base-mainnet',
  asset: ADDRESS,
  symbol: 'USDC',
  decimals: 6,
  payTo: ADDRESS,
};

describe('settings of a gateway', () => {
  it('are read as they are told', () => {
    const settings = readGatewaySettings({
      profile: 'live',
      name: 'Acme',
      pricePerCreditUsd: '0.0000007',
      signIn: { statement: 'Sign in', chainIds: [8453, 'eip155:31337'], domains: ['h'] },
      staking: { symbols: { stake: 'A', dailyCredit: 'B' }, dailyPoolUsd: '250.5', deployments: [DEPLOYMENT] },
      rails: [RAIL],
      minimumTopUpUsd: 5,
      offers: { video: false },
      firstNetwork: 'base-mainnet',
      connectedNetworks: ['base-mainnet'],
      walletConnectProjectId: 'p',
    });
    expect(settings).toEqual({
      profile: 'live',
      name: 'Acme',
      pricePerCreditUsd: '0.0000007',
      signIn: { statement: 'Sign in', chainIds: [8453, 31337] },
      staking: { symbols: { stake: 'A', dailyCredit: 'B' }, dailyPoolUsd: 250.5, deployments: [DEPLOYMENT] },
      rails: [RAIL],
      offers: { video: false },
      firstNetwork: 'base-mainnet',
      connectedNetworks: ['base-mainnet'],
      minimumTopUpUsd: 5,
      walletConnectProjectId: 'p',
    });
  });

  it.each([undefined, '', 7, 'Acme\n', '<b>', 'x'.repeat(33)])('have the default name for %j', (name) =>
    expect(readGatewaySettings({ name }).name).toBe('Turnpike'),
  );

  it('leave out a rail that lacks anything: nothing may be paid to a receiver that is not known', () => {
    for (const fault of [
      { payTo: '' },
      { asset: null },
      { network: 'base' },
      { decimals: 6.5 },
      { decimals: '6' },
      { symbol: undefined },
    ]) {
      expect(readGatewaySettings({ rails: [{ ...RAIL, ...fault }] }).rails).toEqual([]);
    }
  });

  it('leave out a deployment that lacks an address: nothing may be sent to a contract that is not known', () => {
    for (const fault of [
      { staking: '0x1' },
      { stakeToken: null },
      { chainId: 'x' },
      { network: '' },
      { dailyCreditPool: undefined },
    ]) {
      expect(
        readGatewaySettings({ staking: { deployments: [{ ...DEPLOYMENT, ...fault }] } }).staking.deployments,
      ).toEqual([]);
    }
  });

  it('survive any other shape', () => {
    for (const body of [null, 'x', [], { staking: 3, signIn: [] }])
      expect(readGatewaySettings(body).staking.deployments).toEqual([]);
  });
});

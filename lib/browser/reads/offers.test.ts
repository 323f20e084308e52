import { readGatewaySettings } from '@/lib/client/gateway-settings';
import { describe, expect, it } from 'vitest';
import { isPageOffered } from './settings';

describe('the console offers only what its gateway sells', () => {
  const { offers } = readGatewaySettings({
    offers: { chat: false, speech: true, video: false, topUp: false, staking: false },
  });

  it.each([
    ['/chat', false],
    ['/speech', true],
    ['/video', false],
    ['/top-up', false],
    ['/keys', false],
    ['/', true],
    ['/rpc', true],
    ['/usage', true],
    ['/reference', true],
  ])('%s: %s', (href, isOffered) => expect(isPageOffered(href, offers)).toBe(isOffered));

  it.each([undefined, null, {}, { chat: 'no' }, []])('and everything where the gateway says %j of it', (said) => {
    const settings = readGatewaySettings({ offers: said });
    for (const href of ['/chat', '/speech', '/video', '/top-up', '/keys'])
      expect(isPageOffered(href, settings.offers), href).toBe(true);
    expect(isPageOffered('/chat', undefined)).toBe(true);
  });
});

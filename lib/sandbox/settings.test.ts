import { describe, expect, it } from 'vitest';
import { isReadyMessage, sandboxSettings } from './settings';

describe('sandboxSettings', () => {
  it('takes any free port and a folder beside the gateway by default', () => {
    expect(sandboxSettings({})).toEqual({ port: 0, webSocketPort: null, dataDir: 'data/sandbox' });
  });

  it('takes what the environment says', () => {
    expect(sandboxSettings({ SANDBOX_PORT: '4100', SANDBOX_WS_PORT: '3001', SANDBOX_DATA_DIR: '/srv/x' })).toEqual({
      port: 4100,
      webSocketPort: 3001,
      dataDir: '/srv/x',
    });
  });

  it.each(['65536', '-1', '80a', '1e3', '0x50', ' 80', '99999999'])(
    'refuses the port %j and names the variable',
    (port) => {
      expect(() => sandboxSettings({ SANDBOX_PORT: port })).toThrow(/SANDBOX_PORT/);
      expect(() => sandboxSettings({ SANDBOX_WS_PORT: port })).toThrow(/SANDBOX_WS_PORT/);
    },
  );
});

describe('isReadyMessage', () => {
  it.each([null, undefined, 'ready', 7, {}, { type: 'stopped' }])('is not fooled by %j', (message) => {
    expect(isReadyMessage(message)).toBe(false);
  });
});

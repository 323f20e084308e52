import {
  sanitizeResourceServiceMetadata,
  validateDiscoveryExtension,
  validateDiscoveryExtensionSpec,
} from '@x402/extensions/bazaar';
import { DEFAULT_BRAND } from '@/lib/protocol/brand';
import { describe, expect, it } from 'vitest';
import { routes } from '..';
import { soldResources } from './bazaar';

const soldAt = soldResources(routes, DEFAULT_BRAND.name);
const PATHS = [
  '/api/v1/crypto/rpc/ethereum-mainnet',
  '/api/v1/chat/completions',
  '/api/v1/audio/speech',
  '/api/v1/audio/transcriptions',
  '/api/v1/video/queue',
];
type Extension = Parameters<typeof validateDiscoveryExtension>[0];
const extensionAt = (path: string) =>
  soldAt(path)?.bazaar as Extension & {
    routeTemplate?: string;
    info: { input: { body: object; pathParams?: object }; output: object };
  };

describe.each(PATHS)('what is sold at %s', (path) => {
  it('is an extension that its own schema and the specification accept', () => {
    expect(validateDiscoveryExtension(extensionAt(path))).toEqual({ valid: true });
    expect(validateDiscoveryExtensionSpec({ ...extensionAt(path) })).toEqual({ valid: true });
  });

  it('refuses by that schema a body without what is required', () => {
    const extension = structuredClone(extensionAt(path));
    extension.info.input.body = {};
    expect(validateDiscoveryExtension(extension).valid).toBe(false);
  });

  it('keeps every word for catalogues', () => {
    const { description, mimeType, serviceName, tags } = soldAt(path) ?? {};
    expect(
      sanitizeResourceServiceMetadata({
        url: '',
        description,
        mimeType,
        serviceName,
        tags: [...(tags ?? [])],
      } as never),
    ).toEqual({ serviceName, tags });
  });

  it('is short enough to go out in a header, and to come back in one', () => {
    expect(JSON.stringify(soldAt(path)).length).toBeLessThan(2_600);
  });
});

it('names the parameter of a path, so that a catalogue keeps all networks as one entry', () => {
  const { routeTemplate, info } = extensionAt('/api/v1/crypto/rpc/base-mainnet');
  expect([routeTemplate, info.input.pathParams]).toEqual(['/api/v1/crypto/rpc/:network', { network: 'base-mainnet' }]);
  expect(extensionAt('/api/v1/chat/completions')).not.toHaveProperty('routeTemplate');
});

it('says what is sold under a template that is not filled in, as catalogues ask for it', () => {
  const { routeTemplate, info } = extensionAt('/api/v1/crypto/rpc/%7Bnetwork%7D');
  expect([routeTemplate, info.input.pathParams]).toEqual(['/api/v1/crypto/rpc/:network', {}]);
  expect(validateDiscoveryExtension(extensionAt('/api/v1/crypto/rpc/%7Bnetwork%7D'))).toEqual({ valid: true });
});

it.each([
  '/api/v1/models',
  '/api/v1/video/retrieve',
  '/api/v1/crypto/rpc/',
  '/api/v1/crypto/rpc/a/b',
  `/api/v1/crypto/rpc/${'x'.repeat(65)}`,
  '/api/v1/crypto/rpc/%2e%2e',
  '/',
  '',
])('is nothing at %j', (path) => {
  expect(soldAt(path)).toBeNull();
});

it('says of audio that it is bytes', () => {
  expect(extensionAt('/api/v1/audio/speech').info.output).toEqual({ type: 'binary', format: 'audio/mpeg' });
});

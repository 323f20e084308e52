import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import { routes } from '..';
import { openApiDocument } from './document';

const lint = async (document: object) => {
  const config = await createConfig({ extends: ['recommended-strict'] });
  const problems = await lintFromString({ source: JSON.stringify(document), config });
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer ?? ''}`);
};

describe('the API description by the strict rules of Redocly', () => {
  it.each(['api', 'origin'] as const)('has no problem, relative to the %s', async (relativeTo) => {
    const document = openApiDocument(routes, {
      origin: 'https://gateway.example',
      relativeTo,
      pricePerCreditUsd: '0.0000007',
      networks: ['ethereum-mainnet'],
      perCallMinimumUsd: '0.010000',
    });
    expect(await lint(document)).toEqual([]);
  });

  it('would have one, were something wrong', async () => {
    const document = openApiDocument(routes, {
      origin: 'https://gateway.example',
      relativeTo: 'api',
      pricePerCreditUsd: '0.0000007',
      networks: [],
      perCallMinimumUsd: null,
    });
    expect(await lint({ ...document, tags: [], components: {} })).not.toEqual([]);
  });
});

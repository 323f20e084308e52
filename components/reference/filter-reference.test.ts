import { readApiDescription } from '@/lib/browser/api-reference/api-description';
import { METHODS } from '@/lib/protocol/rpc-methods';
import { describe, expect, it } from 'vitest';
import { filterReference } from './filter-reference';

const description = readApiDescription({
  paths: { '/crypto/rpc/networks': { get: { summary: 'The live list of networks' } } },
  components: { schemas: { StandardError: { properties: { hint: {} } } } },
});

describe('the search of the reference', () => {
  it('shows everything where nothing is searched', () => {
    const all = filterReference(description, ' ');
    expect(all.operations).toHaveLength(1);
    expect(all.methods).toHaveLength(METHODS.length);
    expect(all.schemas).toEqual(['StandardError']);
  });

  it('finds methods, errors, operations and schemas by words of theirs', () => {
    expect(filterReference(description, 'eth_getLogs').methods.map(({ name }) => name)).toContain('eth_getLogs');
    expect(filterReference(description, '429 rolling').errors).toEqual(['CREDIT_CAP']);
    expect(filterReference(description, 'live list').operations).toHaveLength(1);
    expect(filterReference(description, 'hint').schemas).toEqual(['StandardError']);
  });

  it('finds nothing for what is nowhere', () => {
    expect(filterReference(description, 'no-such-thing')).toEqual({ operations: [], methods: [], errors: [], schemas: [] });
  });
});

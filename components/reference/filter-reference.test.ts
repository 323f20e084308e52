import { readApiDescription } from './api-description';
import { LISTED_ERRORS, LISTED_METHODS } from './listed-entries';
import { describe, expect, it } from 'vitest';
import { filterReference } from './filter-reference';

const description = readApiDescription({
  paths: { '/crypto/rpc/networks': { get: { summary: 'List the networks' } } },
  components: { schemas: { StandardError: { properties: { hint: {} } } } },
});

const lists = { methods: LISTED_METHODS, errors: LISTED_ERRORS };

describe('the search of the reference', () => {
  it('shows everything where nothing is searched', () => {
    const all = filterReference(description, lists, ' ');
    expect(all.operations).toHaveLength(1);
    expect(all.methods).toHaveLength(LISTED_METHODS.length);
    expect(all.schemas).toEqual(['StandardError']);
  });

  it('finds methods, errors, operations and schemas by words of theirs', () => {
    expect(filterReference(description, lists, 'eth_getLogs').methods.map(({ name }) => name)).toContain('eth_getLogs');
    expect(filterReference(description, lists, '429 rolling').errors.map(({ code }) => code)).toEqual(['CREDIT_CAP']);
    expect(filterReference(description, lists, 'list networks').operations).toHaveLength(1);
    expect(filterReference(description, lists, 'hint').schemas).toEqual(['StandardError']);
  });

  it('finds nothing for what is nowhere', () => {
    expect(filterReference(description, lists, 'no-such-thing')).toEqual({
      operations: [],
      methods: [],
      errors: [],
      schemas: [],
    });
  });
});

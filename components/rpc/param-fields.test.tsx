import { composeRequest, checkRequest } from './request-text';
import { exampleParams } from '@/lib/protocol/rpc-methods/examples';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { ArgumentField } from './contract/contract-form';
import { ParamFields } from './param-fields';

const textsOf = (html: string) =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Returns the labels of a method's parameters as users read them. */
function labelsOf(method: string): string[] {
  const text = composeRequest(method, exampleParams(method));
  const check = checkRequest(text);
  const call = check.ok ? check.calls[0] : undefined;
  if (!check.ok || call === undefined) return expect.unreachable(method);
  const html = renderToStaticMarkup(
    createElement(ParamFields, { call, document: check.document, text, onEdit: () => undefined }),
  );
  return [...html.matchAll(/<label[^>]*>(.*?)<\/label>/g)].map(([, label = '']) => textsOf(label));
}

describe('the label of a parameter', () => {
  it.each([
    ['eth_getBalance', ['address', 'block']],
    ['eth_getStorageAt', ['address', 'slot quantity', 'block']],
    ['web3_sha3', ['data']],
    ['trace_call', ['transaction object', 'to', 'value', 'traceTypes array', 'block optional']],
    ['eth_estimateGas', ['transaction object', 'to', 'value', 'block optional', 'stateOverrides object, optional']],
    ['getSlot', ['options object, optional']],
  ])('of %s says a type that is its name once', (method, labels) => expect(labelsOf(method)).toEqual(labels));

  it.each([
    ['address', 'address', 'address'],
    ['owner', 'address', 'owner address'],
    ['', 'uint256', 'argument 1 uint256'],
  ])('of a contract’s argument %j of type %s', (name, type, shown) => {
    const html = renderToStaticMarkup(
      createElement(ArgumentField, {
        parameter: { name, type },
        index: 0,
        value: '',
        problem: undefined,
        onChange: () => undefined,
      }),
    );
    expect(textsOf(html)).toBe(shown);
  });
});

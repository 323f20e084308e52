import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

import { renderConfigDocument } from './config-document.mjs';
import { inRepository } from './repository.mjs';

test('docs/operating/configuration.md lists the fields of the published schema', () => {
  const schema = JSON.parse(readFileSync(inRepository('public', 'turnpike.config.schema.json'), 'utf8'));
  expect(readFileSync(inRepository('docs', 'operating', 'configuration.md'), 'utf8'), 'run npm run config-schema').toBe(
    renderConfigDocument(schema),
  );
});

test('fields stand with their path, default and description, also inside lists, names and alternatives', () => {
  const rendered = renderConfigDocument({
    properties: {
      port: { description: 'Where it listens', default: 3000 },
      rpc: {
        default: {},
        properties: { list: { items: { properties: { url: { description: 'Its <URL>' } } } } },
      },
      names: { additionalProperties: { anyOf: [{ properties: { size: { default: 1 } } }, {}] } },
    },
  });
  expect(rendered).toContain('- `port` (`3000`): Where it listens.\n');
  expect(rendered).toContain('## rpc\n\n- `rpc.list[].url`: Its \\<URL\\>.\n');
  expect(rendered).toContain('## names\n\n- `names.{}.size` (`1`)\n');
});

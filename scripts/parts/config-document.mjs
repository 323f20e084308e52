/**
 * @typedef {{description?: string, default?: unknown, enum?: unknown[], properties?: Record<string, Schema>,
 *   additionalProperties?: Schema | boolean, items?: Schema | false, anyOf?: Schema[], oneOf?: Schema[]}} Schema
 */

/** Escapes characters that Markdown could read as a tag or a link. */
const escaped = (/** @type {string} */ text) => text.replace(/[<>[\]]/g, (mark) => `\\${mark}`);

/** @param {Schema} schema @returns {string} the default as written in the file; empty without a default */
function defaultOf({ default: value }) {
  const text = JSON.stringify(value);
  return value === undefined || text === '{}' || text === '[]' ? '' : ` (\`${text.replaceAll('"', '')}\`)`;
}

/**
 * Lists a field and the fields inside it.
 *
 * @param {string} path
 * @param {Schema} schema
 * @returns {string[]} Markdown list items: path, default, description
 */
function itemsOf(path, schema) {
  const alternatives = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  const item = schema.items || undefined;
  const entries = item ? [item, ...(item.anyOf ?? []), ...(item.oneOf ?? [])] : [];
  const inside = [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) => itemsOf(`${path}.${name}`, field)),
    ...alternatives.flatMap((one) => itemsOf(path, { ...one, description: '', default: undefined })),
    ...entries.flatMap(({ properties }) => (properties ? itemsOf(`${path}[]`, { properties }) : [])),
    ...(typeof schema.additionalProperties === 'object'
      ? itemsOf(`${path}.{}`, { ...schema.additionalProperties, default: undefined })
      : []),
  ];
  const value = defaultOf(schema);
  const meaning = schema.description ? `: ${escaped(schema.description)}.`.replace(/\.\.$/, '.') : '';
  return [...new Set([...(value || meaning ? [`- \`${path}\`${value}${meaning}`] : []), ...inside])];
}

/**
 * Renders `docs/operating/configuration.md` from the JSON Schema of the configuration file.
 *
 * @param {Schema} schema the content of `public/turnpike.config.schema.json`
 */
export function renderConfigDocument(schema) {
  const fields = Object.entries(schema.properties ?? {}).filter(([name]) => name !== '$schema');
  const isGroup = (/** @type {Schema} */ field) => field.properties !== undefined || field.additionalProperties;
  const single = fields.filter(([, field]) => !isGroup(field)).flatMap(([name, field]) => itemsOf(name, field));
  const groups = fields
    .filter(([, field]) => isGroup(field))
    .map(([name, field]) => [`## ${name}`, '', ...itemsOf(name, field)].join('\n'));
  return `${[
    '# Configuration fields',
    '',
    'Every field of `turnpike.config.json`, with its default in parentheses. `npm run config-schema` writes this page from the schema that checks the file; [operating.md](../operating.md#configuration) explains the file. `{}` stands for a name of your own, `[]` for each entry of a list.',
    '',
    '## Single fields',
    '',
    ...single,
    '',
    groups.join('\n\n'),
  ].join('\n')}\n`;
}

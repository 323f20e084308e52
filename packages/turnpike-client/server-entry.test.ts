import { expect, test } from 'vitest';
import { z } from 'zod';
import { readOptions } from './command/options';
import { mcp, MCP_OPTIONS } from './command/commands/mcp';
import manifest from './package.json';
import entry from './server.json';

/**
 * Checks the entry for the MCP registry against its schema (2025-12-11), the official registry's further rules, the
 * package, and the command that it starts.
 */

const input = {
  description: z.string().min(1).optional(),
  isRequired: z.boolean().optional(),
  isSecret: z.boolean().optional(),
  format: z.enum(['string', 'number', 'boolean', 'filepath']).optional(),
  placeholder: z.string().optional(),
};
const argument = z.union([
  z.strictObject({ type: z.literal('positional'), value: z.string(), ...input }),
  z.strictObject({ type: z.literal('named'), name: z.string().startsWith('--'), ...input }),
]);
const RULES = z.strictObject({
  $schema: z.literal('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
  name: z
    .string()
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)
    .max(200),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  packages: z.tuple([
    z.strictObject({
      registryType: z.literal('npm'),
      registryBaseUrl: z.literal('https://registry.npmjs.org'),
      identifier: z.string(),
      version: z.string(),
      runtimeHint: z.literal('npx'),
      transport: z.strictObject({ type: z.literal('stdio') }),
      packageArguments: z.array(argument),
      environmentVariables: z.array(z.strictObject({ name: z.string(), ...input })),
    }),
  ]),
});

const { name, version, packages } = RULES.parse(entry);
const [{ identifier, version: packaged, packageArguments, environmentVariables }] = packages;

test('names the package and the version that are published', () => {
  expect({ name, version, identifier, packaged }).toEqual({
    name: manifest.mcpName,
    version: manifest.version,
    identifier: manifest.name,
    packaged: manifest.version,
  });
});

test('starts a command that there is, with options that it has', () => {
  const [command, ...options] = packageArguments;
  expect(command).toMatchObject({ type: 'positional', value: 'mcp' });
  const words = options.flatMap((option) => (option.type === 'named' ? [option.name, '1'] : []));
  expect(words.length).toBeGreaterThan(0);
  expect(readOptions(words, MCP_OPTIONS).positionals).toEqual([]);
});

test('asks for what the command reads, and never for a secret in the open', () => {
  for (const { name: variable, isSecret } of environmentVariables) {
    expect(mcp.help).toContain(variable);
    expect([variable, isSecret === true]).toEqual([variable, /KEY/.test(variable)]);
  }
  expect(environmentVariables.filter(({ isRequired }) => isRequired).map(({ name: variable }) => variable)).toEqual([
    'TURNPIKE_URL',
  ]);
});

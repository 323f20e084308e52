import fs from 'node:fs';
import { createRequire } from 'node:module';

import { inRepository } from './repository.mjs';

/**
 * Stored part of a compiled contract.
 *
 * @typedef {{ abi: import('viem').Abi, bytecode: `0x${string}` }} Artifact `bytecode` is the creation code, without
 * arguments
 */

const sources = ['AuthorizableUsd', 'MintableToken', 'SmartWallet', 'SmartWalletFactory', 'Staking'];

/**
 * Omits the metadata at the end of the code, so that editing a comment changes neither the code nor the contract's
 * address.
 */
const settings = {
  optimizer: { enabled: true, runs: 1_000 },
  evmVersion: 'cancun',
  metadata: { bytecodeHash: 'none', appendCBOR: false },
  outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
};

/**
 * Compiles contracts/*.sol in about 6 s.
 *
 * @returns {Promise<Record<string, Artifact>>} by name
 * @throws {Error} with the compiler's message, even if it is only a warning
 */
export async function compileContracts() {
  const require = createRequire(import.meta.url);
  const solc = /** @type {{ compile(input: string, callbacks: { import: typeof readImport }): string }} */ (
    require('solc')
  );
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(sources.map((name) => [`contracts/${name}.sol`, { content: readSource(name) }])),
    settings,
  };
  /** @type {{ errors?: { formattedMessage: string }[], contracts: Record<string, Record<string, { abi: import('viem').Abi, evm: { bytecode: { object: string } } }>> }} */
  const output = JSON.parse(solc.compile(JSON.stringify(input), { import: readImport }));
  if (output.errors && output.errors.length > 0)
    throw new Error(output.errors.map((error) => error.formattedMessage).join('\n'));
  return Object.fromEntries(
    sources.map((name) => {
      const contract = output.contracts[`contracts/${name}.sol`]?.[name];
      if (!contract) throw new Error(`contracts/${name}.sol does not contain the contract ${name}.`);
      return [name, { abi: contract.abi, bytecode: /** @type {const} */ (`0x${contract.evm.bytecode.object}`) }];
    }),
  );
}

/** @param {string} name */
function readSource(name) {
  return fs.readFileSync(inRepository('contracts', `${name}.sol`), 'utf8');
}

/** @param {string} path */
function readImport(path) {
  try {
    const file = path.startsWith('@') ? inRepository('node_modules', path) : inRepository(path);
    return { contents: fs.readFileSync(file, 'utf8') };
  } catch (error) {
    return { error: /** @type {Error} */ (error).message };
  }
}

/** Returns the path of a contract's committed artifact. @param {string} name */
export function artifactFile(name) {
  return inRepository('contracts', 'artifacts', `${name}.json`);
}

/** @param {Artifact} artifact */
export function artifactText(artifact) {
  return `${JSON.stringify(artifact, null, 1)}\n`;
}

export const abisFile = inRepository('lib', 'protocol', 'contract-abis.ts');

/** Returns the text of lib/protocol/contract-abis.ts. @param {Record<string, Artifact>} artifacts */
export function abisText(artifacts) {
  const constants = Object.entries(artifacts).map(([name, { abi }]) => {
    const entries = abi.map((entry) => `  ${JSON.stringify(entry)},\n`).join('');
    return `/** ABI of contracts/${name}.sol. */\nexport const ${constantOf(name)} = [\n${entries}] as const;\n`;
  });
  return `// Written by scripts/contracts.mjs from the contracts' sources.\n\n${constants.join('\n')}`;
}

/** @param {string} name */
function constantOf(name) {
  return `${name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase()}_ABI`;
}

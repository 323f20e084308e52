import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { BundledProgram } from '@/test/bundled-program';
import { tempFolder } from '@/test/temp-folder';

it(
  'the bundled program keeps standard output for answers, and ends with the code of the command',
  { timeout: 30_000 },
  async () => {
    const program = await BundledProgram.make({ file: 'lib/server/admin/cli.ts' });
    onTestFinished(() => program.remove());
    const env = { TURNPIKE_DATA_DIR: join(tempFolder(), 'data') };
    const created = await program.run(['accounts', 'create', '--label', 'Ann Example', '--json'], env);
    expect([created.code, created.stderr, JSON.parse(created.stdout)]).toMatchObject([
      0,
      '',
      { id: 1, label: 'Ann Example' },
    ]);
    expect(await program.run(['no', 'such', '--json'], env)).toEqual({
      code: 2,
      stdout: '{"ok":false,"error":"There is no command \\"no such\\"."}\n',
      stderr: '',
    });
  },
);

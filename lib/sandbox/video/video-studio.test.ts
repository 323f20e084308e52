import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ALL_FORMATS, BufferSource, Input } from 'mediabunny';
import { recordingLog } from '../sandbox-under-test';
import { loadEncoder, type RenderSettings, renderVideo, sizeOf } from './render-video';
import { type Render, renderInThread } from './render-queue';
import { StudioBusy, VideoStudio } from './video-studio';

const SETTINGS: RenderSettings = {
  prompt: 'A lighthouse',
  negativePrompt: '',
  seed: 1,
  seconds: 1,
  aspectRatio: [16, 9],
};
const log = recordingLog();

function folder(): string {
  const made = mkdtempSync(path.join(tmpdir(), 'turnpike-studio-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

/** Returns a renderer that waits until the test releases it. */
function heldBack(): { render: Render; release: () => void; rendered: string[] } {
  let release: () => void = () => undefined;
  const rendered: string[] = [];
  const gate = new Promise<void>((resolve) => (release = resolve));
  return {
    render: async ({ prompt }) => (await gate, rendered.push(prompt), Buffer.from(`film of ${prompt}`)),
    release,
    rendered,
  };
}

describe('a rendered video', () => {
  it.each<[string, Partial<RenderSettings>, number, number, number]>([
    ['wide', {}, 1, 480, 270],
    ['high', { aspectRatio: [9, 16] }, 1, 270, 480],
    ['square, longer', { aspectRatio: [1, 1], seconds: 3 }, 3, 480, 480],
  ])(
    'that is %s has its duration and its size, as another demultiplexer reads it',
    async (_name, change, seconds, width, height) => {
      const input = new Input({
        source: new BufferSource(await renderVideo({ ...SETTINGS, ...change })),
        formats: ALL_FORMATS,
      });
      const track = await input.getPrimaryVideoTrack();
      expect([await input.computeDuration(), track?.displayWidth, track?.displayHeight, track?.codec]).toEqual([
        seconds,
        width,
        height,
        'avc',
      ]);
    },
  );

  it('leaves to the process what becomes of errors that nobody caught', () => {
    const handlers = () => [process.rawListeners('uncaughtException'), process.rawListeners('unhandledRejection')];
    const require = createRequire(import.meta.url);
    // An import has already loaded the module. The test needs the side effects of a fresh load.
    delete require.cache[require.resolve('h264-mp4-encoder')];
    const before = handlers();
    loadEncoder();
    expect(handlers()).toEqual(before);
  });

  it('is the same for the same settings, and another for another prompt, seed or negative prompt', async () => {
    const hash = async (change: Partial<RenderSettings> = {}) =>
      Buffer.from(await renderVideo({ ...SETTINGS, ...change })).toString('base64');
    const [one, ...others] = await Promise.all([
      hash(),
      hash({ prompt: 'A lighthousf' }),
      hash({ seed: 2 }),
      hash({ negativePrompt: 'x' }),
    ]);
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    expect(await hash()).toBe(one);
    expect(new Set([one, ...others]).size).toBe(4);
  });

  it('has even sides whatever the ratio', () => {
    for (const ratio of [
      [1, 100],
      [100, 1],
      [7, 5],
      [999, 998],
    ] as const) {
      const { width, height } = sizeOf(ratio);
      expect([width % 2, height % 2, Math.max(width, height)]).toEqual([0, 0, 480]);
    }
  });

  it('comes out of a bundled thread as well', async () => {
    const outfile = path.resolve(`node_modules/.cache/tests/video-renderer-${process.pid}.mjs`);
    await build({
      entryPoints: ['lib/sandbox/video/render-worker.ts'],
      outfile,
      bundle: true,
      packages: 'external',
      platform: 'node',
      format: 'esm',
      target: 'node22',
      logLevel: 'silent',
    });
    onTestFinished(() => rmSync(outfile, { force: true }));
    const render = renderInThread(outfile);
    expect(Buffer.from(await render(SETTINGS)).equals(Buffer.from(await renderVideo(SETTINGS)))).toBe(true);
    await expect(renderInThread(`${outfile}.missing`)(SETTINGS)).rejects.toThrow();
  });
});

describe('the studio', () => {
  it('renders one after another, in order, and the same key once', async () => {
    const { render, release, rendered } = heldBack();
    const studio = new VideoStudio(folder(), render, log);
    const takes = ['a', 'b', 'c'].map((prompt) => studio.ask('m', { ...SETTINGS, prompt }, prompt));
    expect(studio.ask('m', { ...SETTINGS, prompt: 'a' }, 'a').id).toBe(takes[0]?.id);
    release();
    await expect
      .poll(() => takes.every(({ id }) => studio.media(studio.find(id, 'm') ?? (takes[0] as never)) !== null))
      .toBe(true);
    expect(rendered).toEqual(['a', 'b', 'c']);
  });

  it('takes on so many and no more', () => {
    const studio = new VideoStudio(folder(), heldBack().render, log);
    expect(() => Array.from({ length: 100 }, () => studio.ask('m', SETTINGS, null))).toThrow(StudioBusy);
  });

  it('goes on after an end with what was asked for, and still has what was rendered', async () => {
    const place = folder();
    const done = heldBack();
    done.release();
    const first = new VideoStudio(place, done.render, log);
    const made = first.ask('m', { ...SETTINGS, prompt: 'made' }, null);
    await expect.poll(() => first.find(made.id, 'm')?.renderMs).toBeTypeOf('number');
    const open = new VideoStudio(place, heldBack().render, log).ask('m', { ...SETTINGS, prompt: 'open' }, 'key');
    writeFileSync(path.join(place, 'zz.json'), '{"id":');
    const next = new VideoStudio(place, done.render, log);
    expect(Buffer.from(next.media(next.find(made.id, 'm') as never) as Uint8Array).toString()).toBe('film of made');
    expect(next.ask('m', SETTINGS, 'key').id).toBe(open.id);
    await expect.poll(() => existsSync(path.join(place, `${open.id}.mp4`))).toBe(true);
  });

  it('says that a take failed where the renderer does, and forgets a deleted one with its files', async () => {
    const place = folder();
    const studio = new VideoStudio(place, () => Promise.reject(new Error('no film')), log);
    const { id } = studio.ask('m', SETTINGS, null);
    await expect.poll(() => studio.find(id, 'm')?.failure).toMatch(/could not render/);
    studio.remove(id);
    expect(studio.find(id, 'm')).toBeNull();
    expect(readdirSync(place)).toEqual([]);
  });
});

import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { SandboxLog } from '../log';
import { type Render, renderInThread, RenderQueue } from './render-queue';
import type { RenderSettings } from './render-video';

export interface Take {
  id: string;
  model: string;
  settings: RenderSettings;
  key: string | null;
  askedAt: number;
  renderMs: number | null;
  failure: string | null;
}

/** Failures that the studio can simulate, for tests. */
export const STUDIO_FAILURES = ['render', 'refuse', 'away', 'stall'] as const;
export type StudioFailure = (typeof STUDIO_FAILURES)[number];

const WAITING_MAX = 32;
const KEPT_MAX = 200;
const KEPT_MS = 2 * 3_600_000;
const TYPICAL_MS = 4_000;

export class StudioBusy extends Error {}

/** Renders videos one by one. Keeps requests and results in a folder, so that a restarted sandbox continues them. */
export class VideoStudio {
  failure: StudioFailure | null = null;
  readonly #takes = new Map<string, Take>();
  readonly #queue: RenderQueue;
  #averageMs = TYPICAL_MS;

  constructor(
    private readonly folder: string,
    render: Render,
    private readonly log: SandboxLog,
    private readonly now: () => number = Date.now,
  ) {
    this.#queue = new RenderQueue(render, WAITING_MAX);
    mkdirSync(folder, { recursive: true });
    for (const file of readdirSync(folder).sort()) if (file.endsWith('.json')) this.#takeUp(file);
  }

  /**
   * Accepts a request for a video. Requests with the same Idempotency-Key get the same video.
   *
   * @throws StudioBusy
   */
  ask(model: string, settings: RenderSettings, key: string | null): Take {
    const known = key === null ? undefined : [...this.#takes.values()].find((take) => take.key === key);
    if (known) return known;
    this.#forgetOld();
    if (!this.#queue.hasRoom || this.#takes.size >= KEPT_MAX) throw new StudioBusy();
    const take: Take = {
      id: randomUUID(),
      model,
      settings,
      key,
      askedAt: this.now(),
      renderMs: null,
      failure: this.failure === 'render' ? 'The stand-in was told to fail.' : null,
    };
    this.#keep(take);
    if (take.failure === null) this.#render(take);
    return take;
  }

  find(id: string, model: string): Take | null {
    const take = this.#takes.get(id);
    return take?.model === model ? take : null;
  }

  /** Returns a rendered video's file; null until rendering has finished. */
  media(take: Take): Uint8Array | null {
    if (take.renderMs === null || this.failure === 'stall') return null;
    return existsSync(this.#media(take.id)) ? readFileSync(this.#media(take.id)) : null;
  }

  get averageMs(): number {
    return Math.round(this.#averageMs);
  }

  remove(id: string): void {
    this.#takes.delete(id);
    for (const file of [this.#record(id), this.#media(id)]) rmSync(file, { force: true });
  }

  #takeUp(file: string): void {
    try {
      const take = JSON.parse(readFileSync(path.join(this.folder, file), 'utf8')) as Take;
      const isRendered = existsSync(this.#media(take.id));
      this.#takes.set(take.id, { ...take, renderMs: isRendered ? (take.renderMs ?? 0) : null });
      if (take.failure === null && !isRendered) this.#render({ ...take, renderMs: null });
    } catch (error) {
      this.log.warn(`a video from an earlier run could not be read: ${(error as Error).message}`);
    }
  }

  #render(take: Take): void {
    let startedAt = this.now();
    this.#queue
      .add(take.settings, () => (startedAt = this.now()))
      .then((bytes) => {
        // The video may have been deleted during rendering.
        if (!this.#takes.has(take.id)) return;
        const renderMs = this.now() - startedAt;
        this.#averageMs = 0.7 * this.#averageMs + 0.3 * renderMs;
        replaceFile(this.#media(take.id), bytes);
        this.#keep({ ...take, renderMs });
      })
      .catch((error: Error) => {
        this.log.warn(`a video could not be rendered: ${error.message}`);
        if (this.#takes.has(take.id)) this.#keep({ ...take, failure: 'The stand-in could not render it.' });
      });
  }

  #keep(take: Take): void {
    this.#takes.set(take.id, take);
    replaceFile(this.#record(take.id), JSON.stringify(take));
  }

  #forgetOld(): void {
    for (const { id, askedAt } of this.#takes.values()) if (this.now() - askedAt > KEPT_MS) this.remove(id);
  }

  #record(id: string): string {
    return path.join(this.folder, `${id}.json`);
  }

  #media(id: string): string {
    return path.join(this.folder, `${id}.mp4`);
  }
}

function replaceFile(file: string, content: string | Uint8Array): void {
  writeFileSync(`${file}.new`, content);
  renameSync(`${file}.new`, file);
}

/** Opens the simulated video studio. @param projectRoot folder with the bundled renderer in `dist` */
export function createVideo(dataDir: string, projectRoot: string, log: SandboxLog): VideoStudio {
  return new VideoStudio(
    path.join(dataDir, 'video'),
    renderInThread(path.join(projectRoot, 'dist', 'video-renderer.mjs')),
    log,
  );
}

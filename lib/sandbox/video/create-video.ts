import path from 'node:path';
import type { SandboxLog } from '../log';
import { renderInThread } from './render-queue';
import { VideoStudio } from './video-studio';

/** Opens the simulated video studio. @param projectRoot folder with the bundled renderer in `dist` */
export function createVideo(dataDir: string, projectRoot: string, log: SandboxLog): VideoStudio {
  return new VideoStudio(
    path.join(dataDir, 'video'),
    renderInThread(path.join(projectRoot, 'dist', 'video-renderer.mjs')),
    log,
  );
}

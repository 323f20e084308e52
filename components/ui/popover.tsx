'use client';

import type { ComponentProps } from 'react';
import { onDemand } from './on-demand';
import { OverlayTrigger, useOverlay } from './overlay';
import type { PopoverPanelProps } from './popover-panel';

export { Overlay as Popover } from './overlay';
export { OverlayClose as PopoverClose } from './overlay';

const PopoverPanel = onDemand(() => import('./popover-panel').then((module) => module.PopoverPanel), { floats: true });

type PopoverTriggerProps = Omit<ComponentProps<typeof OverlayTrigger>, 'preload'> & {
  /** Loads the content's code together with the panel's code. */
  preload?: () => void;
};

export function PopoverTrigger({ preload, ...props }: PopoverTriggerProps) {
  return (
    <OverlayTrigger
      {...props}
      preload={() => {
        PopoverPanel.preload();
        preload?.();
      }}
    />
  );
}

/** Panel next to its trigger. The positioning code loads with the first popover. */
export function PopoverContent(props: Omit<PopoverPanelProps, 'overlay'>) {
  const overlay = useOverlay();
  return overlay.open ? <PopoverPanel {...props} overlay={overlay} /> : null;
}

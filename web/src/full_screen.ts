/** Fills the screen with the page, or gives it back. A browser that refuses is left alone. */
export function toggleFullScreen(): void {
  const done = document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen?.();
  done?.catch(() => {});
}

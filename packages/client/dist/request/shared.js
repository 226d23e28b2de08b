/** Makes a task one that is shared. */
export function shared(task) {
    let running = false;
    let last;
    const it = {
        ended: 0,
        join(since) {
            if (!running && since == it.ended) {
                running = true;
                last = task().finally(() => {
                    running = false;
                    it.ended++;
                });
            }
            return last;
        },
    };
    return it;
}

package cache_test

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/tell/web/answer/cache"
)

func TestCache(t *testing.T) {
	t.Parallel()
	setup := func(o cache.Options) (c *cache.Cache, get func(key string) int, built *atomic.Int64) {
		if o.Limit == 0 {
			o.Limit = 10
		}
		o.Now, o.Patience, built = time.Now, time.Minute, &atomic.Int64{}
		c = cache.New(o)
		return c, func(key string) int {
			n, err := cache.Get(t.Context(), c, key, time.Minute, func(context.Context) (int, error) {
				<-time.After(time.Second)
				return int(built.Add(1)), nil
			})
			require.NoError(t, err)
			return n
		}, built
	}
	t.Run("a value is built once for all who ask at the same time, and kept for its time", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			_, get, built := setup(cache.Options{})
			var group sync.WaitGroup
			for range 50 {
				group.Go(func() { get("a") })
			}
			group.Wait()
			require.EqualValues(t, 1, built.Load())
			<-time.After(2 * time.Minute)
			require.Equal(t, 2, get("a"))
		})
	})
	t.Run("a change makes every value old", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			var generation uint64
			_, get, _ := setup(cache.Options{Generation: func() uint64 { return generation }})
			require.Equal(t, 1, get("a"))
			generation++
			require.Equal(t, 2, get("a"))
		})
	})
	t.Run("the value that ends first makes room; what is dropped is built anew", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			c, get, built := setup(cache.Options{Limit: 3})
			for i := range 4 {
				get(strconv.Itoa(i))
			}
			require.Equal(t, 4, get("3"))
			require.Equal(t, 5, get("0"))
			c.Drop("3")
			require.Equal(t, 6, get("3"))
			require.EqualValues(t, 6, built.Load())
		})
	})
	t.Run("errors are not kept, and who leaves does not fail the others", func(t *testing.T) {
		t.Parallel()
		c, get, _ := setup(cache.Options{})
		_, err := cache.Get(t.Context(), c, "a", time.Minute, func(context.Context) (int, error) { return 0, errors.New("no") })
		require.Error(t, err)
		gone, leave := context.WithCancel(t.Context())
		leave()
		_, err = cache.Get(gone, c, "b", time.Minute, func(ctx context.Context) (int, error) { return 0, ctx.Err() })
		require.NoError(t, err)
		require.Equal(t, 1, get("a"))
	})
}

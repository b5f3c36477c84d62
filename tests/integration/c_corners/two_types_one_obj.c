// safe
#include <assert.h>

struct hdr{int type; int len;};
struct msg{struct hdr h; int body[2];};
struct ack{struct hdr h; char ok;};
int handle(struct hdr*h){
  if(h->type==1){
    struct msg*m=(struct msg*)h;
    return m->body[1];
  }
  struct ack*a=(struct ack*)h;
  return a->ok;
}
int main(void){
  struct msg m={{1,8},{4,5}};
  struct ack a={{2,1},'k'};
  assert(handle(&m.h)==5);
  assert(handle(&a.h)=='k');
  assert(handle((struct hdr*)&m)==5);
  return 0;
}

// safe
#include <assert.h>
#include <stddef.h>

char*names[]={"one","two",0};
char buf[8]="ab";
const char msg[]="x\ty\0z";
int main(void){
  assert(names[1][2]=='o'&&names[2]==0);
  assert(buf[2]==0&&buf[7]==0);
  assert(sizeof msg==6&&msg[1]=='\t'&&msg[4]=='z');
  char*p=names[0];
  p++;
  assert(*p=='n'&&p[1]=='e');
  names[0]=buf;
  names[0][1]='q';
  assert(buf[1]=='q');
  int w[]={'a','\n','\x41','\101'};
  assert(w[2]==65&&w[3]==65&&w[1]==10);
  wchar_t wide[]=L"hi";
  assert(wide[1]=='i'&&sizeof wide==12);
  return 0;
}
